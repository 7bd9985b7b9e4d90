import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import { createTextAssembler } from '@proto/host';
import { blocksIn, textBlock } from '../blocks.ts';
import { objectOf } from '../members.ts';

/** Converts the texts and the thoughts of the model into chunks. Whole messages repeat what was streamed, but each piece is converted only once. */
export class ReplyUpdates {
  readonly #texts = createTextAssembler();
  #id: unknown;
  /** The streamed thoughts that have not yet arrived in a whole message. */
  #thoughts = '';

  ofStreamEvent(message: WireMessage): SessionUpdate[] {
    const { type, message: begun, delta } = objectOf(message['event']);
    if (type === 'message_start') {
      this.#id = objectOf(begun)['id'];
      this.#thoughts = '';
    }
    const { type: kind, thinking } = objectOf(delta);
    const thought = type === 'content_block_delta' && kind === 'thinking_delta' ? String(thinking) : '';
    this.#thoughts += thought;
    return chunks(this.#id, thought, this.#texts.add(message));
  }

  ofMessage(message: WireMessage): SessionUpdate[] {
    const { id, content } = objectOf(message['message']);
    return chunks(id, this.#newThought(id, thoughtIn(content)), this.#texts.add(message));
  }

  #newThought(id: unknown, thought: string): string {
    if (id !== this.#id) return thought;
    const given = this.#thoughts;
    this.#thoughts = given.startsWith(thought) ? given.slice(thought.length) : '';
    // A whole thought contains what was streamed, or is the beginning of it.
    return thought.startsWith(given) || given.startsWith(thought) ? thought.slice(given.length) : thought;
  }
}

function chunks(id: unknown, thought: string, text: string): SessionUpdate[] {
  // The id of a reply is stored with it, so a replayed conversation has the same ids.
  const messageId = typeof id === 'string' ? { messageId: id } : {};
  const kinds = [
    { sessionUpdate: 'agent_thought_chunk', text: thought },
    { sessionUpdate: 'agent_message_chunk', text },
  ] as const;
  return kinds.flatMap(({ sessionUpdate, text: piece }) =>
    piece === '' ? [] : [{ sessionUpdate, content: textBlock(piece), ...messageId }],
  );
}

function thoughtIn(content: unknown): string {
  return blocksIn(content)
    .flatMap(({ type, thinking }) => (type === 'thinking' ? [String(thinking)] : []))
    .join('');
}
