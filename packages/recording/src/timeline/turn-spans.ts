import { RecentIds } from '@proto/core/internal';
import { blocksOf, isText, type Members } from './members.ts';
import { OpenIds, type SpanWriter } from './span-writer.ts';

// Calls to these tools start a subagent. A call to any other tool is known to be a subagent when a message names the call as its parent.
const SUBAGENT_TOOLS = new Set(['Task', 'Agent']);
// The number of prompts that are remembered. Agents remember at most as many.
const MAX_PROMPTS = 10_000;

/** Each method processes a message and returns the span that the message belongs to. */
export class TurnSpans {
  readonly #writer: SpanWriter;
  readonly #calls: OpenIds;
  /** The span of the task for each call whose subagent continues in the background. */
  readonly #backgroundCalls = new Map<string, number>();
  readonly #prompts = new RecentIds(MAX_PROMPTS);
  #turn: number | undefined;
  #turns = 0;

  constructor(writer: SpanWriter) {
    this.#writer = writer;
    this.#calls = new OpenIds(writer);
  }

  get turn(): number | undefined {
    return this.#turn;
  }

  callOrTurn(call: unknown): number | undefined {
    return this.#calls.find(call) ?? this.#turn;
  }

  /** Assigns all further messages that name this call to the task. */
  movedToBackground(call: unknown, task: number): void {
    if (typeof call === 'string' && this.#backgroundCalls.size < MAX_PROMPTS) this.#backgroundCalls.set(call, task);
  }

  prompted(message: Members): number | undefined {
    const { uuid, shouldQuery } = message;
    const isRepeated = typeof uuid === 'string' && this.#prompts.has(uuid);
    if (typeof uuid === 'string') this.#prompts.add(uuid);
    // A text that the agent only adds to the conversation, and a prompt that the agent has already received, do not begin a turn.
    return shouldQuery === false || isRepeated ? this.#turn : this.worked(message);
  }

  replied(message: Members): number | undefined {
    const within = this.worked(message);
    for (const { type, id, name } of blocksOf(message)) {
      if (type !== 'tool_use') continue;
      const tool = isText(name) ? name : 'tool';
      this.#calls.open(id, this.#writer.begin(SUBAGENT_TOOLS.has(tool) ? 'subagent' : 'tool', tool, within));
    }
    return within;
  }

  toolsReturned(message: Members): number | undefined {
    const within = message['isReplay'] === true ? this.#turn : this.worked(message);
    for (const { type, tool_use_id: call, is_error: isError } of blocksOf(message)) {
      if (type !== 'tool_result') continue;
      const isFailed = isError === true;
      this.#writer.endMatched(this.#calls.take(call), isFailed ? 'error' : 'ok', isFailed ? 'error' : 'success');
    }
    return within;
  }

  ended({ subtype, is_error: isError, terminal_reason: reason }: Members): number | undefined {
    const turn = this.#turn;
    this.#turn = undefined;
    // A text that does not begin a turn also gets a result.
    if (turn === undefined) return undefined;
    const status = isError === true ? 'error' : 'ok';
    this.#writer.end(turn, String(reason).startsWith('aborted') ? 'cancelled' : status, subtype);
    return turn;
  }

  /** Adds a message of any other kind that an agent sends only while it is working. If no turn is open, the message begins a turn. */
  worked({ parent_tool_use_id: parent, tool_use_id: call }: Members): number | undefined {
    if (isText(parent)) return this.#ofSubagent(parent);
    this.#turn ??= this.#writer.begin('turn', `turn ${++this.#turns}`, undefined);
    return this.callOrTurn(call);
  }

  /**
   * Returns the span for a subagent's message. A subagent may continue after its call has returned and after the turn has ended, so its messages do
   * not begin a turn.
   */
  #ofSubagent(call: string): number | undefined {
    const span = this.#calls.find(call);
    if (span !== undefined) this.#writer.becomeSubagent(span);
    return span ?? this.#backgroundCalls.get(call) ?? this.#turn;
  }
}
