import { ProtocolError } from '@proto/core';
import { parseJson } from '@proto/core/framing';
import { checkPermissionResult, onAbort } from '@proto/core/internal';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import { textOf } from '../prompts/prompt.ts';
import { permissionDecision } from './permission-decision.ts';
import { type CanUseTool, createPermissionCheck, type PermissionRules } from './permission-rules.ts';

export interface PermissionPromptInput {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
}

/** Returns a permission result, or the result as JSON text, as MCP tools do. */
export type PermissionPromptTool = (input: PermissionPromptInput, signal: AbortSignal) => Promise<unknown>;

/** How the tool that is asked for permission is found, and the rules that decide before the tool is asked. */
export interface PermissionPromptToolOptions extends PermissionRules {
  /** Finds the tool by its name. Undefined if no such tool exists. */
  readonly findPromptTool: (
    name: string,
  ) => PermissionPromptTool | undefined | Promise<PermissionPromptTool | undefined>;
}

/**
 * The agent's rules decide first. If they leave the decision open, the tool decides. The tool is looked up when it is first needed, because its
 * server may still be starting when the session begins.
 */
export function createPromptToolCheck(name: string, options: PermissionPromptToolOptions): CanUseTool {
  let found: PermissionPromptTool | undefined;

  async function answer(input: PermissionPromptInput, signal: AbortSignal): Promise<unknown> {
    found ??= await options.findPromptTool(name);
    if (found === undefined) throw new Error(`permission prompt tool ${name} not found`);
    signal.throwIfAborted();
    return found(input, signal);
  }

  return createPermissionCheck(options, async (call, _ask, { signal }) => {
    let forget = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      forget = onAbort(signal, () => reject(signal.reason));
    });
    try {
      const input = { tool_name: call.tool, input: call.input, tool_use_id: call.toolUseID };
      // `Promise.race` is used because a tool may ignore the signal, and the turn must not wait for the tool.
      const result = await Promise.race([answer(input, signal), aborted]);
      const { value, issues } = checkPermissionResult(typeof result === 'string' ? parse(result) : result);
      if (value === undefined) throw new ProtocolError('invalid-message', `invalid answer from ${name}`, { issues });
      return permissionDecision(value, call, 'prompt-tool');
    } finally {
      forget();
    }
  });
}

/** Parses JSON. Returns `undefined` for any other text instead of throwing, because the parser's error would quote the text. */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The name has the form `mcp__SERVER__TOOL`. Undefined if no such tool exists. */
export function findMcpPromptTool(servers: HostMcpServers, name: string): PermissionPromptTool | undefined {
  const server = servers.find(servers.provenanceOf(name)?.name ?? '');
  if (server === undefined) return undefined;
  const tool = name.slice(`mcp__${server.name}__`.length);
  return async (input, signal) => {
    const { content } = await server.callTool(tool, { ...input }, { toolUseID: input.tool_use_id, signal });
    return textOf(content);
  };
}
