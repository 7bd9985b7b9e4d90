import type { WireMessage } from '@proto/core/framing';
import type { Members } from '../members.ts';

type Emit = (message: WireMessage) => void;

/** The part of a reply that is being written: text or thinking. */
interface OpenBlock {
  readonly type: 'text' | 'thinking';
  /** The id that the agent gave to the message. Chunks with different ids belong to different messages. */
  readonly source: string | undefined;
  text: string;
}

/**
 * Builds the replies of a model from chunks of text and from tool calls: the `stream_event` messages while a block is written, and an `assistant`
 * message for each complete block. A reply ends when a tool call of it has a result.
 */
export class ReplyMessages {
  readonly #emit: Emit;
  /** Further members of each `assistant` message. */
  readonly #members: Members;
  readonly #model: () => string;
  #id: string | undefined;
  #index = 0;
  #open: OpenBlock | undefined;
  /** The text of the last complete block of text. */
  lastText = '';

  constructor(emit: Emit, model: () => string, members: Members) {
    this.#emit = emit;
    this.#model = model;
    this.#members = members;
  }

  write(type: OpenBlock['type'], text: string, source: string | undefined): void {
    if (text === '') return;
    const open = this.#blockFor(type, source);
    open.text += text;
    const delta = type === 'text' ? { type: 'text_delta', text } : { type: 'thinking_delta', thinking: text };
    this.#event({ type: 'content_block_delta', index: this.#index, delta });
  }

  #blockFor(type: OpenBlock['type'], source: string | undefined): OpenBlock {
    const open = this.#open;
    if (open?.type === type && open.source === source) return open;
    this.closeBlock();
    if (open?.type === type) this.end(null);
    this.#begin(type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' });
    return (this.#open = { type, source, text: '' });
  }

  call(id: string, name: string, input: Members): void {
    this.closeBlock();
    this.#begin({ type: 'tool_use', id, name, input: {} });
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    this.#event({ type: 'content_block_delta', index: this.#index, delta });
    this.#finish({ type: 'tool_use', id, name, input });
  }

  closeBlock(isAborted = false): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (open.type === 'text') this.lastText = open.text;
    const block = open.type === 'text' ? { text: open.text } : { thinking: open.text, signature: '' };
    this.#finish({ type: open.type, ...block }, isAborted);
  }

  /** Ends the reply, if one has begun. `stopReason` is `null` if the reply was cut or is not known to be complete. */
  end(stopReason: string | null, isAborted = false): void {
    this.closeBlock(isAborted);
    if (this.#id === undefined) return;
    this.#id = undefined;
    this.#event({ type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: NO_USAGE });
    this.#event({ type: 'message_stop' });
  }

  #begin(block: Members): void {
    if (this.#id === undefined) {
      this.#id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
      this.#index = 0;
      this.#event({ type: 'message_start', message: { ...this.#head(), content: [] } });
    } else this.#index += 1;
    this.#event({ type: 'content_block_start', index: this.#index, content_block: block });
  }

  #finish(block: Members, isAborted = false): void {
    const message = { ...this.#head(), content: [block] };
    this.#emit({
      type: 'assistant',
      message,
      parent_tool_use_id: null,
      ...this.#members,
      ...(isAborted && { aborted: true }),
    });
    this.#event({ type: 'content_block_stop', index: this.#index });
  }

  #head(): Members {
    const stop = { stop_reason: null, stop_sequence: null };
    return { id: this.#id, type: 'message', role: 'assistant', model: this.#model(), ...stop, usage: NO_USAGE };
  }

  #event(event: Members): void {
    this.#emit({ type: 'stream_event', event, parent_tool_use_id: null });
  }
}

/** Agents of the Agent Client Protocol do not report the tokens of a reply. */
const NO_USAGE = { input_tokens: 0, output_tokens: 0 };
