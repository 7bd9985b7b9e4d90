import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { blocksIn, shownBlock, textBlock } from '../blocks.ts';
import { type Members, objectOf, objectsIn } from '../members.ts';
import { viewOfToolCall } from './tool-calls.ts';

/** A tool call that the model has made. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The id of the call whose subagent has made this call. */
  readonly parent?: string | undefined;
}

/** The languages of results that are shown as code. */
const LANGUAGES: Readonly<Record<string, string>> = { Read: '', Bash: 'console' };
// Editors show this tool as a plan.
const PLAN_TOOL = 'TodoWrite';

/** Converts tool calls and their results into updates. Keeps the calls that have no result yet. */
export class CallUpdates {
  readonly #cwd: string;
  readonly #open = new Map<string, MadeCall>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Empty for a call that was already introduced. */
  introduce(call: MadeCall): SessionUpdate[] {
    if (this.#open.has(call.id)) return [];
    this.#open.set(call.id, call);
    return [this.#introduction(call)];
  }

  /** Introduces the calls without a result to an editor that has not seen them. */
  introduceAgain(): SessionUpdate[] {
    return [...this.#open.values()].map((call) => this.#introduction(call));
  }

  /** `block` is a block of the type `tool_result`, and `output` is what the agent reports about the result outside the block. */
  finish(block: Members, output: unknown): SessionUpdate[] {
    const id = String(block['tool_use_id']);
    const name = this.#open.get(id)?.name;
    this.#open.delete(id);
    if (name === undefined || name === PLAN_TOOL) return [];
    const isError = block['is_error'] === true;
    const { content: rawOutput } = block;
    const content = isError ? resultContent(rawOutput, '') : contentOf(name, rawOutput, output);
    const ended = { toolCallId: id, status: isError ? 'failed' : 'completed', rawOutput } as const;
    const update = { sessionUpdate: 'tool_call_update', ...ended, ...(content.length > 0 && { content }) } as const;
    return isError ? [...this.#fail(id), update] : [update];
  }

  #introduction({ id, name, input, parent }: MadeCall): SessionUpdate {
    if (name === PLAN_TOOL) return { sessionUpdate: 'plan', entries: planEntries(input) };
    const about = { toolCallId: id, name, ...viewOfToolCall(name, input, this.#cwd), rawInput: input };
    const meta = parent === undefined ? {} : { _meta: { parentToolCallId: parent } };
    return { sessionUpdate: 'tool_call', ...about, status: 'pending', ...meta };
  }

  /** Ends the calls of the main conversation that have no result. A subagent in the background may still be working on its calls. */
  end(): SessionUpdate[] {
    return this.#fail(undefined);
  }

  /** Ends the calls of a subagent, or of the main conversation, with the calls of their subagents. */
  #fail(of: string | undefined): SessionUpdate[] {
    const left = [...this.#open.values()].filter(({ parent }) => parent === of);
    for (const { id } of left) this.#open.delete(id);
    return left.flatMap(({ id, name }) => [
      ...(name === PLAN_TOOL ? [] : [{ sessionUpdate: 'tool_call_update', toolCallId: id, status: 'failed' } as const]),
      ...this.#fail(id),
    ]);
  }
}

function planEntries(input: unknown): PlanEntry[] {
  return objectsIn(objectOf(input)['todos']).map(({ content, status }) => ({
    content: String(content),
    priority: 'medium',
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
  }));
}

/** What replaces the content with which a call was introduced. Empty if this content stays, as the diff of an edit. */
function contentOf(name: string, content: unknown, output: unknown): ToolCallContent[] {
  if (name === 'Write') return writtenDiff(objectOf(output));
  if (viewOfToolCall(name, {}).kind === 'edit') return [];
  // The result of a subagent also contains text for the model. What the agent reports outside the block is the answer alone.
  const { content: answer, isAsync } = objectOf(output);
  if (name === 'Agent' || name === 'Task') return resultContent(answer ?? (isAsync === true ? [] : content), undefined);
  // Editors show texts as Markdown.
  return resultContent(content, Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined);
}

/** When a file is written, the agent reports the text that was in the file before. */
function writtenDiff({ filePath: path, content: newText, originalFile }: Members): ToolCallContent[] {
  if (typeof path !== 'string' || typeof newText !== 'string' || typeof originalFile !== 'string') return [];
  return [{ type: 'diff', path, oldText: originalFile, newText }];
}

/** A text is put into a code block if `language` is given. */
function resultContent(content: unknown, language: string | undefined): ToolCallContent[] {
  return blocksIn(content).flatMap((block) => {
    const shown = shownBlock(block);
    if (shown === undefined) return [];
    const isCode = shown.type === 'text' && language !== undefined;
    return [{ type: 'content', content: isCode ? codeBlock(shown.text, language) : shown }];
  });
}

/** A code block whose fence is longer than each fence in the text. */
function codeBlock(text: string, language: string) {
  const fences = [...text.matchAll(/`{3,}/g)].map(([fence]) => fence.length);
  const fence = '`'.repeat(Math.max(2, ...fences) + 1);
  // The number of the empty line after the last line of a file is left out.
  return textBlock(`${fence}${language}\n${text.replace(/\n\d+\t$/, '').trimEnd()}\n${fence}`);
}
