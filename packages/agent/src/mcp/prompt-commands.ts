import type { WireMessage } from '@proto/core/framing';
import { type HookOutcome } from '../hooks/hook-outcome.ts';
import { refusalOf, type RunHooks } from '../hooks/turn-hooks.ts';
import { joinContents, type Prompt, type PromptContent, textOf } from '../prompts/prompt.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { RunningTurn } from '../turns/running-turn.ts';
import type { HostMcpServers } from './host-mcp-servers.ts';
import { argumentsOf, contentOf, type McpPrompt } from './mcp-prompt.ts';
import type { HostMcpConnection } from './host-mcp-server.ts';

/** A slash command, as listed in the answer to `initialize`. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

/** The slash commands that call the prompts of MCP servers: `mcp__SERVER__PROMPT`. */
export function promptCommands(mcp: HostMcpServers): readonly SlashCommand[] {
  return commandsOf(mcp).map(({ name, prompt }) => ({
    name,
    description: prompt.description,
    argumentHint: prompt.arguments.map(({ name: of, required }) => (required ? `<${of}>` : `[${of}]`)).join(' '),
  }));
}

/** A value that is not a list stays unchanged. */
export function withCommands(listed: unknown, added: readonly unknown[]): unknown {
  return Array.isArray(listed) && added.length > 0 ? [...(listed as readonly unknown[]), ...added] : listed;
}

export interface ExpandedPrompts {
  readonly content: PromptContent;
  readonly additionalContext: readonly string[];
  /** Why a hook refuses the expansion of a command. */
  readonly refusal?: string;
}

export interface PromptCommandsParts {
  readonly mcp: HostMcpServers;
  readonly runHooks: RunHooks;
  readonly conversation: Pick<Conversation, 'remember'>;
}

/** Replaces each prompt that calls a slash command of an MCP server with the content that the server returns. */
export class PromptCommands {
  readonly #parts: PromptCommandsParts;

  constructor(parts: PromptCommandsParts) {
    this.#parts = parts;
  }

  /**
   * Each expanded prompt is added to the conversation after the original prompt.
   *
   * @throws Error if a server does not return the prompt
   */
  async expand(running: RunningTurn, prompts: readonly Prompt[]): Promise<ExpandedPrompts> {
    const contents: PromptContent[] = [];
    const additionalContext: string[] = [];
    for (const prompt of prompts) {
      const called = this.#commandOf(prompt);
      if (called === undefined) {
        contents.push(prompt.content);
        continue;
      }
      const outcome = await this.#ask(running, called, prompt);
      const refusal = refusalOf(outcome);
      if (refusal !== undefined) return { content: prompt.content, additionalContext, refusal };
      additionalContext.push(...outcome.additionalContext);
      const content = joinContents([await get(called, running.asking()), ...attached(prompt.content)]);
      this.#parts.conversation.remember(expandedMessage(content));
      contents.push(content);
    }
    return { content: joinContents(contents), additionalContext };
  }

  /** A prompt does not call a command if the host requires that the model receives it unchanged. */
  #commandOf({ content, origin, message }: Prompt): Called | undefined {
    const text = textOf(content);
    if (!text.startsWith('/mcp__') || origin !== undefined || message['client_composed'] === true) return undefined;
    const called = commandsOf(this.#parts.mcp).filter(
      ({ name }) => text.startsWith(`/${name}`) && !/^\S/.test(text.slice(name.length + 1)),
    );
    // Because names may contain spaces, the name of one command may be the beginning of another name.
    const [longest] = called.sort((a, b) => b.name.length - a.name.length);
    return longest && { ...longest, line: text.slice(longest.name.length + 1).trim() };
  }

  #ask(running: RunningTurn, { name, line }: Called, { content }: Prompt): Promise<HookOutcome> {
    return this.#parts.runHooks(running, {
      hook_event_name: 'UserPromptExpansion',
      expansion_type: 'mcp_prompt',
      command_name: name,
      command_args: line,
      prompt: textOf(content),
    });
  }
}

interface Command {
  readonly name: string;
  readonly server: HostMcpConnection;
  readonly prompt: McpPrompt;
}

interface Called extends Command {
  /** The text after the name of the command. */
  readonly line: string;
}

function commandsOf(mcp: HostMcpServers): readonly Command[] {
  return mcp.connections.flatMap((server) =>
    server.prompts.map((prompt) => ({ name: `mcp__${server.name}__${prompt.name}`, server, prompt })),
  );
}

async function get({ name, server, prompt, line }: Called, signal: AbortSignal): Promise<PromptContent> {
  try {
    const params = { name: prompt.name, arguments: argumentsOf(prompt, line) };
    return contentOf(await server.request('prompts/get', params, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error(
      `/${name}: the MCP server did not return the prompt: ${error instanceof Error ? error.message : ''}`,
      {
        cause: error,
      },
    );
  }
}

/** The parts of a prompt other than its text, such as an image. */
function attached(content: PromptContent): readonly PromptContent[] {
  const others = typeof content === 'string' ? [] : content.filter(({ type }) => type !== 'text');
  return others.length > 0 ? [others] : [];
}

function expandedMessage(content: PromptContent): WireMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isSynthetic: true };
}
