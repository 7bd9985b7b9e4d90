import type { WireMessage } from '@proto/core/framing';
import type { Members } from '../members.ts';

export interface ReplyOptions {
  readonly emit: (message: WireMessage) => void;
  readonly model: () => string;
  /** The id of the session in the agent, which is stored with each message. */
  readonly agentSessionId: string;
}

/** The part of a reply that is being written: text or thinking. */
interface OpenBlock {
  readonly type: 'text' | 'thinking';
  /** The id that the agent gave to the message. Chunks with different ids belong to different messages. */
  readonly source: string | undefined;
  text: string;
}

/** Builds the replies of a model: `stream_event` messages while a block is written, and an `assistant` message for each complete block. */
export class ReplyMessages {
  readonly #options: ReplyOptions;
  #id: string | undefined;
  #index = 0;
  #open: OpenBlock | undefined;
  /** The text of the last complete block of text. */
  lastText = '';

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  write(type: OpenBlock['type'], text: string, source: string | undefined): void {
    if (text === '') return;
    const open = this.#blockFor(type, source);
    open.text += text;
    this.#delta({ type: `${type}_delta`, [type]: text });
  }

  call(id: string, name: string, input: Members): void {
    this.#closeBlock(false);
    this.#begin({ type: 'tool_use', id, name, input: {} });
    this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
    this.#finish({ type: 'tool_use', id, name, input }, false);
  }

  /** Sends the result of a call, after the reply that contains the call. */
  result(id: string, content: string, isError: boolean): void {
    this.end('tool_use', false);
    const block = { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) };
    this.#say({ type: 'user', message: { role: 'user', content: [block] } });
  }

  /** Ends the reply, if one has begun. `stopReason` is `null` if the reply was cut or is not known to be complete. */
  end(stopReason: string | null, isAborted: boolean): void {
    this.#closeBlock(isAborted);
    if (this.#id === undefined) return;
    this.#id = undefined;
    this.#event({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: NO_USAGE });
    this.#event({ type: 'message_stop' });
  }

  #blockFor(type: OpenBlock['type'], source: string | undefined): OpenBlock {
    const open = this.#open;
    if (open?.type === type && open.source === source) return open;
    this.#closeBlock(false);
    if (open?.type === type) this.end(null, false);
    this.#begin(blockOf(type, ''));
    return (this.#open = { type, source, text: '' });
  }

  #closeBlock(isAborted: boolean): void {
    if (this.#open === undefined) return;
    const { type, text } = this.#open;
    this.#open = undefined;
    if (type === 'text') this.lastText = text;
    this.#finish(blockOf(type, text), isAborted);
  }

  #begin(block: Members): void {
    if (this.#id === undefined) {
      this.#id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
      this.#index = 0;
      this.#event({ type: 'message_start', message: this.#message([]) });
    } else this.#index += 1;
    this.#event({ type: 'content_block_start', index: this.#index, content_block: block });
  }

  #delta(delta: Members): void {
    this.#event({ type: 'content_block_delta', index: this.#index, delta });
  }

  #finish(block: Members, isAborted: boolean): void {
    this.#say({ type: 'assistant', message: this.#message([block]), ...(isAborted && { aborted: true }) });
    this.#event({ type: 'content_block_stop', index: this.#index });
  }

  #message(content: readonly Members[]): Members {
    const head = { id: this.#id, type: 'message', role: 'assistant', model: this.#options.model() };
    return { ...head, content, stop_reason: null, stop_sequence: null, usage: NO_USAGE };
  }

  #event(event: Members): void {
    this.#options.emit({ type: 'stream_event', event, parent_tool_use_id: null });
  }

  #say(message: WireMessage): void {
    this.#options.emit({ ...message, parent_tool_use_id: null, acp_session_id: this.#options.agentSessionId });
  }
}

function blockOf(type: OpenBlock['type'], text: string): Members {
  return type === 'text' ? { type, text } : { type, thinking: text, signature: '' };
}

/** Agents report tokens at most for a whole turn, and not for a single reply. */
const NO_USAGE = { input_tokens: 0, output_tokens: 0 };
