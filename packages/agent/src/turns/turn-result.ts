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

/** The members of a result that count what was used. */
const SPENT: readonly string[] = ['usage', 'modelUsage', 'total_cost_usd', 'duration_api_ms'];

/** Follows the messages of one turn, and knows the `result` message that ends it, with every member hosts require. */
export class TurnResult {
  readonly #startedAt = performance.now();
  #userMessages = 0;
  readonly #uuids: string[];
  readonly #last: string | undefined;
  readonly #origin: Prompt['origin'];
  readonly #denials: object[] = [];
  #text = '';
  #stopReason: unknown = null;
  #answered = false;
  #own: WireMessage | undefined;
  #concluded: object = {};

  /** Of these prompts; those that have an id are named. */
  constructor(prompts: readonly Pick<Prompt, 'uuid' | 'origin'>[]) {
    this.#origin = prompts[0]?.origin;
    this.#uuids = prompts.flatMap(({ uuid }) => uuid ?? []);
    this.#last = this.#uuids.at(-1);
  }

  /** The one it answers above all, where that has an id. */
  get promptUuid(): string | undefined {
    return this.#last;
  }

  /** The ids of the prompts it answers, as messages name them. */
  get prompts(): object {
    return this.#uuids.length === 0 ? {} : { user_message_uuids: this.#uuids };
  }

  /** The same, with that one. */
  get answers(): object {
    return { ...(this.#last !== undefined && { user_message_uuid: this.#last }), ...this.prompts };
  }

  /** The text of the last reply. */
  get text(): string {
    return this.#text;
  }

  /** Whether the agent itself has said that it failed. */
  get isError(): boolean {
    return this.#own?.['is_error'] === true;
  }

  /** Takes a prompt that came while the turn ran. */
  fold({ uuid }: Pick<Prompt, 'uuid'>): void {
    if (uuid !== undefined) this.#uuids.push(uuid);
  }

  /** Takes a message of the turn; gives it with the prompt it answers, if it is the first reply. */
  follow(message: WireMessage): WireMessage {
    this.#count(message);
    if (this.#answered || (message.type !== 'assistant' && message.type !== 'stream_event')) return message;
    this.#answered = true;
    return { ...message, ...this.answers };
  }

  /** Takes a call that was not permitted. */
  deny(tool_name: string, tool_use_id: string, tool_input: object): void {
    this.#denials.push({ tool_name, tool_use_id, tool_input });
  }

  /** Takes the result the agent gives itself; the last one counts. Members it leaves out are filled in. */
  take(own: WireMessage): void {
    this.#own = own;
  }

  /** The turn goes on, so what it had come to does not count. */
  reopen(): void {
    this.#own = undefined;
  }

  /** Takes members for the result of a turn that is ended by decision. */
  conclude(members: object): void {
    this.#concluded = { ...this.#concluded, ...members };
  }

  /** What subagents say does not count, nor an echo. */
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

  /** The agent is done: with its own result, or with a success of what it said last. */
  finished(): WireMessage {
    // What hooks and rules have decided of the turn, the agent has not heard of.
    const members = { ...this.#own, ...this.#concluded };
    if (this.#own !== undefined) return this.#result('success', this.#own['is_error'] === true, members);
    return this.#result('success', false, { result: this.#text, terminal_reason: 'completed', ...members });
  }

  interrupted(terminalReason: string): WireMessage {
    const duringTool = terminalReason === 'aborted_tools';
    // Hosts show the last line as what went wrong; without one they say that the process failed.
    const errors = [`The turn was interrupted by the user${duringTool ? ' while a tool was in use' : ''}.`];
    const ended = { errors, terminal_reason: terminalReason, stop_reason: duringTool ? 'tool_use' : null };
    return this.#result('error_during_execution', true, { ...this.#spent(), ...ended });
  }

  failed(error: unknown): WireMessage {
    return this.#result('error_during_execution', true, { ...this.#spent(), errors: [messageOf(error)] });
  }

  /** What the agent says it has used; that much is so however the turn ends. */
  #spent(): object {
    const own = Object.entries(this.#own ?? {});
    return Object.fromEntries(own.filter(([member]) => SPENT.includes(member)));
  }

  #result(subtype: string, isError: boolean, members: object): WireMessage {
    const result: WireMessage = {
      type: 'result',
      subtype,
      is_error: isError,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      duration_api_ms: 0,
      // As published agents count: the prompt, and each message of the user's side behind it.
      num_turns: 1 + this.#userMessages,
      stop_reason: isError ? null : this.#stopReason,
      total_cost_usd: 0,
      usage: ZERO_USAGE,
      modelUsage: {},
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
