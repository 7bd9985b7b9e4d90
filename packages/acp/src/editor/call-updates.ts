import type { PlanEntry, SessionUpdate, ToolCallContent } from '@agentclientprotocol/sdk';
import { blocksIn, shownBlock, textBlock } from './blocks.ts';
import { type Members, objectOf, objectsIn } from './members.ts';
import { viewOfToolCall } from './tool-calls.ts';

/** A tool call that the model has made. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** The id of the call whose subagent has made this call. */
  readonly parent?: string | undefined;
}

// Editors show this tool as a plan.
const PLAN_TOOL = 'TodoWrite';

/** Converts tool calls and their results into updates. Keeps the calls that have no result yet. */
export class CallUpdates {
  /** The names of the tools, by the ids of the calls. */
  readonly #open = new Map<string, string>();

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Empty for a call that was already introduced. */
  introduce({ id, name, input, parent }: MadeCall): SessionUpdate[] {
    if (this.#open.has(id)) return [];
    this.#open.set(id, name);
    if (name === PLAN_TOOL) return [{ sessionUpdate: 'plan', entries: planEntries(input) }];
    const about = { toolCallId: id, name, ...viewOfToolCall(name, input), rawInput: input };
    const meta = parent === undefined ? {} : { _meta: { parentToolCallId: parent } };
    return [{ sessionUpdate: 'tool_call', ...about, status: 'pending', ...meta }];
  }

  /** `block` is a block of the type `tool_result`. */
  finish(block: Members): SessionUpdate[] {
    const id = String(block['tool_use_id']);
    const name = this.#open.get(id);
    this.#open.delete(id);
    if (name === undefined || name === PLAN_TOOL) return [];
    const isError = block['is_error'] === true;
    const content = resultContent(block['content'], isError);
    // A change of a file was introduced with its diff, which shows more than the result.
    const isChange = !isError && viewOfToolCall(name, {}).kind === 'edit';
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: id,
        status: isError ? 'failed' : 'completed',
        rawOutput: block['content'],
        ...(!isChange && content.length > 0 && { content }),
      },
    ];
  }

  /** Ends the calls that have no result. */
  end(): SessionUpdate[] {
    const left = [...this.#open].filter(([, name]) => name !== PLAN_TOOL);
    this.#open.clear();
    return left.map(([toolCallId]) => ({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' }));
  }
}

function planEntries(input: unknown): PlanEntry[] {
  return objectsIn(objectOf(input)['todos']).map(({ content, status }) => ({
    content: String(content),
    priority: 'medium',
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
  }));
}

function resultContent(content: unknown, isError: boolean): ToolCallContent[] {
  return blocksIn(content).flatMap((block) => {
    const shown = shownBlock(block);
    if (shown === undefined) return [];
    const isQuoted = isError && shown.type === 'text';
    return [{ type: 'content', content: isQuoted ? textBlock(`\`\`\`\n${shown.text}\n\`\`\``) : shown }];
  });
}
