import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { HookCall } from '../hooks/hook-callback.ts';
import type { HookOutcome } from '../hooks/hook-outcome.ts';
import type { ToolCall } from '../permissions/permission-decision.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { type SessionSpent, TurnResult } from './turn-result.ts';

const REJECTED = 'The user stopped this tool call.';

export class RunningTurn {
  readonly id: string;
  readonly prompts: readonly Prompt[];
  /** The prompts that joined the turn later. */
  readonly folded: Prompt[] = [];
  readonly result: TurnResult;
  /** Messages from hooks to the user, to be sent after the next message. */
  readonly notices: WireMessage[] = [];
  readonly #controller = new AbortController();
  // Separate from the signal of the turn: an interrupt cancels open questions before it cuts off the output.
  readonly #questions = new AbortController();
  // Tool calls without a result yet.
  readonly #calls = new Set<unknown>();
  #duringTool = false;
  #isOver = false;
  #isWithdrawn = false;
  #isClosed = false;
  #isMarked = false;

  constructor(id: string, prompts: readonly Prompt[], spentBefore?: SessionSpent) {
    this.id = id;
    this.prompts = prompts;
    this.result = new TurnResult(prompts, spentBefore);
  }

  /** Whether the prompts are only added to the conversation, so that the model is not called. */
  get isContextOnly(): boolean {
    return this.prompts.some(({ isContextOnly }) => isContextOnly);
  }

  /** Aborts when the output must be cut off. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the turn was interrupted, even if hooks or rules had already decided to end it. False if only hooks or rules ended the turn. */
  get isInterrupted(): boolean {
    return this.signal.aborted && (this.#isWithdrawn || !this.#isOver);
  }

  /** If true, no further round begins and no prompt joins. */
  get isOver(): boolean {
    return this.signal.aborted || this.#isOver || this.#isClosed;
  }

  /** The signal to use for a question. The signal of the turn itself would abort too late, after the answer to the interrupt. */
  asking(signal: AbortSignal = this.signal): AbortSignal {
    return signal === this.signal ? this.#questions.signal : signal;
  }

  /** Cancels the open questions, because the host interrupts the turn. */
  withdraw(): void {
    this.#isWithdrawn = true;
    this.#duringTool ||= this.#calls.size > 0;
    this.#questions.abort();
  }

  abort(reason?: unknown): void {
    this.#duringTool ||= this.#calls.size > 0;
    this.#questions.abort(reason);
    this.#controller.abort(reason);
  }

  /** Closes the turn after its result: work that `runTurn` has left running can no longer ask questions. */
  close(): void {
    this.#isClosed = true;
    this.#questions.abort();
  }

  /** The turn counts as completed. */
  end(members: object): void {
    this.#isOver = true;
    this.result.conclude(members);
  }

  fold(prompt: Prompt): void {
    this.folded.push(prompt);
    this.result.fold(prompt);
  }

  /** The ids of the answered prompts are added to the first reply. */
  follow(message: WireMessage): WireMessage {
    // A reply that is interrupted while it is being streamed may already have made tool calls.
    if (message['aborted'] === true) this.#duringTool = false;
    const body = message['message'];
    const content = isRecord(body) && typeof message['parent_tool_use_id'] !== 'string' ? body['content'] : undefined;
    for (const block of Array.isArray(content) ? content : []) {
      if (block?.type === 'tool_use') this.#calls.add(block.id);
      if (block?.type === 'tool_result') this.#calls.delete(block.tool_use_id);
    }
    return this.result.follow(message);
  }

  /** Applies the parts of an outcome that do not depend on the event: messages to the user and a stop reason. */
  applyHookOutcome(
    { hook_event_name: event, tool_name: tool }: HookCall,
    { systemMessages, stopReason }: HookOutcome,
  ): void {
    const of = typeof tool === 'string' ? `${event}:${tool}` : event;
    for (const text of systemMessages) {
      this.notices.push({ type: 'system', subtype: 'informational', content: `${of} says: ${text}`, level: 'notice' });
    }
    if (stopReason !== undefined) {
      this.end({ terminal_reason: event === 'Stop' ? 'stop_hook_prevented' : 'hook_stopped', stop_reason: stopReason });
    }
  }

  /** Leaves a tool call to the host, and ends the turn as completed. */
  defer({ tool, toolUseID, input }: ToolCall): void {
    this.end({ terminal_reason: 'tool_deferred', deferred_tool_use: { id: toolUseID, name: tool, input } });
    this.abort();
  }

  /** A denial with `interrupts` ends the turn. */
  deny(tool: string, toolUseID: string, input: object, interrupts: boolean): void {
    this.result.deny(tool, toolUseID, input);
    this.#duringTool ||= interrupts || this.#questions.signal.aborted;
    if (interrupts) this.abort();
  }

  /** Creates results for tool calls that were interrupted before they returned a result. A conversation cannot continue without these results. */
  takeRejections(): readonly WireMessage[] {
    if (!this.isInterrupted) return [];
    const calls = [...this.#calls];
    this.#calls.clear();
    return calls.map((tool_use_id) => {
      const content = [{ type: 'tool_result', content: REJECTED, is_error: true, tool_use_id }];
      return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null };
    });
  }

  /** Returns `undefined` if the conversation was not interrupted, and after the first call. */
  takeMarker(): WireMessage | undefined {
    if (!this.isInterrupted || this.#isMarked) return undefined;
    this.#isMarked = true;
    const text = `[Request interrupted by user${this.#duringTool ? ' for tool use' : ''}]`;
    return { type: 'user', message: { role: 'user', content: [{ type: 'text', text }] }, parent_tool_use_id: null };
  }

  interrupted(): WireMessage {
    return this.result.interrupted(this.#duringTool ? 'aborted_tools' : 'aborted_streaming');
  }
}
