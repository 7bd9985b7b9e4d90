import type { WireMessage } from '@proto/core/framing';
import { isRecord, messageOf } from '@proto/core/internal';
import { isConversation } from '../transcript/conversation.ts';
import { type Prompt, textOf } from '../prompts/prompt.ts';

const ZERO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: 'standard',
};

/** The members of a result that are totals of the whole session. These totals never decrease, even if a turn did not reach the model. */
export interface SessionSpent {
  readonly total_cost_usd: unknown;
  readonly modelUsage: unknown;
}

const NOTHING_SPENT: SessionSpent = { total_cost_usd: 0, modelUsage: {} };

/** The members of a result that report the usage of its turn. If hooks continue a turn, the figures of its parts are added up. */
const SPENT_IN_TURN = ['usage', 'duration_api_ms', 'num_turns'];

/** Follows the messages of one turn, and creates the `result` that ends the turn. */
export class TurnResult {
  readonly #startedAt = performance.now();
  #userMessages = 0;
  readonly #uuids: string[];
  readonly #last: string | undefined;
  readonly #origin: Prompt['origin'];
  readonly #denials: object[] = [];
  readonly #spentBefore: SessionSpent;
  #text = '';
  #stopReason: unknown = null;
  #answered = false;
  #own: WireMessage | undefined;
  /** The usage that the agent reported before a hook continued the turn. */
  #spentEarlier: Readonly<Record<string, unknown>> = {};
  #concluded: object = {};

  /** The replies and the result contain the ids of the prompts. `spentBefore` contains the totals of the session before the turn. */
  constructor(prompts: readonly Pick<Prompt, 'uuid' | 'origin'>[], spentBefore: SessionSpent = NOTHING_SPENT) {
    this.#spentBefore = spentBefore;
    this.#origin = prompts[0]?.origin;
    this.#uuids = prompts.flatMap(({ uuid }) => uuid ?? []);
    this.#last = this.#uuids.at(-1);
  }

  /** Undefined if the last prompt has no id. */
  get promptUuid(): string | undefined {
    return this.#last;
  }

  /** The ids of the prompts that the turn answers, as members of a message. */
  get prompts(): object {
    return this.#uuids.length === 0 ? {} : { user_message_uuids: this.#uuids };
  }

  /** The ids of the prompts that the turn answers, and of the last prompt, as members of a message. */
  get answers(): object {
    return { ...(this.#last !== undefined && { user_message_uuid: this.#last }), ...this.prompts };
  }

  get text(): string {
    return this.#text;
  }

  /** Whether the agent itself has reported an error result. */
  get isError(): boolean {
    return this.#own?.['is_error'] === true;
  }

  fold({ uuid }: Pick<Prompt, 'uuid'>): void {
    if (uuid !== undefined) this.#uuids.push(uuid);
  }

  /** The ids of the answered prompts are added to the first reply. */
  follow(message: WireMessage): WireMessage {
    this.#count(message);
    if (this.#answered || (message.type !== 'assistant' && message.type !== 'stream_event')) return message;
    this.#answered = true;
    return { ...message, ...this.answers };
  }

  deny(tool_name: string, tool_use_id: string, tool_input: object): void {
    this.#denials.push({ tool_name, tool_use_id, tool_input });
  }

  /** Uses a `result` that the agent has yielded, after filling in missing members. If the agent yields several, the last `result` counts. */
  take(own: WireMessage): void {
    this.#own = own;
  }

  /** Drops the result so far except for its usage, because the turn continues. */
  reopen(): void {
    this.#spentEarlier = this.#spent();
    this.#own = undefined;
  }

  conclude(members: object): void {
    this.#concluded = { ...this.#concluded, ...members };
  }

  /** Counts a message if it belongs to the main thread and is not an echo. */
  #count(message: WireMessage): void {
    const reply = message['message'];
    if (!isConversation(message) || !isRecord(reply)) return;
    if (message.type === 'user') {
      this.#userMessages++;
      return;
    }
    this.#text = textOf(reply['content']);
    this.#stopReason = reply['stop_reason'] ?? 'end_turn';
  }

  /** Creates the result of a successful turn: the agent's own result, or a success with the text of its last reply. */
  finished(): WireMessage {
    // A decision by hooks or rules overrides the agent's result, because the agent was not aware of the decision.
    const members = { ...this.#own, ...this.#spent(), ...this.#concluded };
    if (this.#own !== undefined) return this.#result('success', this.#own['is_error'] === true, members);
    return this.#result('success', false, { result: this.#text, terminal_reason: 'completed', ...members });
  }

  interrupted(terminalReason: string): WireMessage {
    const duringTool = terminalReason === 'aborted_tools';
    // Hosts show the last line as the cause. Without any lines, they report that the process failed.
    const errors = [`The turn was interrupted by the user${duringTool ? ' while a tool was in use' : ''}.`];
    const ended = { errors, terminal_reason: terminalReason, stop_reason: duringTool ? 'tool_use' : null };
    return this.#result('error_during_execution', true, { ...this.#spent(), ...ended });
  }

  failed(error: unknown): WireMessage {
    return this.#result('error_during_execution', true, { ...this.#spent(), errors: [messageOf(error)] });
  }

  /** The usage that the agent has reported is valid no matter how the turn ends. */
  #spent(): Readonly<Record<string, unknown>> {
    const own: Readonly<Record<string, unknown>> = this.#own ?? {};
    const earlier = this.#spentEarlier;
    const inTurn = SPENT_IN_TURN.map((member) => [member, sumOf(earlier[member], own[member])]);
    const inSession = Object.keys(NOTHING_SPENT).map((member) => [member, own[member] ?? earlier[member]]);
    return Object.fromEntries([...inTurn, ...inSession].filter(([, value]) => value !== undefined));
  }

  #result(subtype: string, isError: boolean, members: object): WireMessage {
    const result: WireMessage = {
      type: 'result',
      subtype,
      is_error: isError,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      duration_api_ms: 0,
      // Published agents count the prompt, and each `user` message after it.
      num_turns: 1 + this.#userMessages,
      stop_reason: isError ? null : this.#stopReason,
      ...this.#spentBefore,
      usage: ZERO_USAGE,
      permission_denials: this.#denials,
      ...(this.#origin && { origin: this.#origin }),
      ...members,
      ...this.answers,
    };
    return result['subtype'] === 'success'
      ? { ...result, api_error_status: result['api_error_status'] ?? null }
      : result;
  }
}

/** Adds up two figures, or each figure of two objects. Other values are those of the later part. */
function sumOf(earlier: unknown, later: unknown): unknown {
  if (typeof earlier === 'number' && typeof later === 'number') return earlier + later;
  if (!isRecord(earlier) || !isRecord(later)) return later ?? earlier;
  const members = new Set([...Object.keys(earlier), ...Object.keys(later)]);
  return Object.fromEntries([...members].map((member) => [member, sumOf(earlier[member], later[member])]));
}
