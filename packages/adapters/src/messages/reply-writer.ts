import type { WireMessage } from '@proto/core/framing';
import type { AgentEventOf, Usage } from '../events/agent-event.ts';

// A longer text is split into several blocks, because each complete block must fit into a line.
const MAX_BLOCK_LENGTH = 16 * 1024 * 1024;

interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  readonly index: number;
  readonly messageId: string | undefined;
  text: string;
}

/**
 * Writes one reply of the model as an `assistant` message for each block. All these messages have the same `message.id`. For text in pieces, also
 * writes Claude's stream events, in Claude's order.
 */
export class ReplyWriter {
  readonly #parentId: string | undefined;
  readonly #model: string;
  readonly #takeUsage: () => Usage | undefined;
  readonly #id = `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  #open: OpenBlock | undefined;
  // The number of blocks that arrived in pieces.
  #streamed = 0;
  #stopReason = 'end_turn';

  /** `takeUsage` returns the usage that has not yet been sent in a message. */
  constructor(parentId: string | undefined, model: string, takeUsage: () => Usage | undefined) {
    this.#parentId = parentId;
    this.#model = model;
    this.#takeUsage = takeUsage;
  }

  *text(event: AgentEventOf<'text' | 'thinking'>): Generator<WireMessage> {
    const { type, text, delta, messageId } = event;
    if (!delta) {
      yield* this.#close();
      return yield this.#assistant(block(type, text));
    }
    const isFull = (this.#open?.text.length ?? 0) + text.length > MAX_BLOCK_LENGTH;
    if (this.#open?.kind !== type || this.#open.messageId !== messageId || isFull) {
      yield* this.#close();
      if (this.#streamed === 0) yield this.#streamEvent({ type: 'message_start', message: this.#message([]) });
      this.#open = { kind: type, index: this.#streamed++, messageId, text: '' };
      const { index } = this.#open;
      yield this.#streamEvent({ type: 'content_block_start', index, content_block: block(type, '') });
    }
    this.#open.text += text;
    const { index } = this.#open;
    yield this.#streamEvent({ type: 'content_block_delta', index, delta: { type: `${type}_delta`, [type]: text } });
  }

  *toolCall({ id, name, input, synthesised }: AgentEventOf<'tool_call'>): Generator<WireMessage> {
    yield* this.#close();
    this.#stopReason = 'tool_use';
    const message = this.#assistant({ type: 'tool_use', id, name, input: input ?? {} });
    yield synthesised ? { ...message, synthesised } : message;
  }

  *end(): Generator<WireMessage> {
    yield* this.#close();
    if (this.#streamed === 0) return;
    const delta = { stop_reason: this.#stopReason, stop_sequence: null };
    yield this.#streamEvent({ type: 'message_delta', delta, usage: wireUsage(this.#takeUsage()) });
    yield this.#streamEvent({ type: 'message_stop' });
  }

  /** The complete block precedes its stop event, as in Claude's output. */
  *#close(): Generator<WireMessage> {
    if (this.#open === undefined) return;
    const { kind, text, index } = this.#open;
    this.#open = undefined;
    yield this.#assistant(block(kind, text));
    yield this.#streamEvent({ type: 'content_block_stop', index });
  }

  #assistant(content: object): WireMessage {
    const message = { ...this.#message([content]), usage: wireUsage(this.#takeUsage()) };
    return { type: 'assistant', message, parent_tool_use_id: this.#parentId ?? null };
  }

  #streamEvent(event: object): WireMessage {
    return { type: 'stream_event', event, parent_tool_use_id: this.#parentId ?? null };
  }

  #message(content: readonly object[]) {
    const head = { id: this.#id, type: 'message', role: 'assistant', model: this.#model };
    return { ...head, content, stop_reason: null, stop_sequence: null, usage: wireUsage(undefined) };
  }
}

// The signature is empty, because only the vendor of the model can sign thinking blocks.
function block(kind: 'text' | 'thinking', text: string): object {
  return kind === 'text' ? { type: kind, text } : { type: kind, thinking: text, signature: '' };
}

export function wireUsage(usage: Usage | undefined) {
  return {
    input_tokens: usage?.inputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
  };
}
