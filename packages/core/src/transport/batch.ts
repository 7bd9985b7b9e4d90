import { encodeLine } from '../framing/encode-line.ts';
import type { Batch, Outgoing } from './transport.ts';

/**
 * Messages as one text with the end of each: the only form in which they wait, travel and are kept for sending again.
 * An object for each message would take twice its bytes (measured at 250 bytes a message).
 */
export class TextBatch implements Batch {
  text = '';
  readonly #ends: number[] = [];
  // By place, for the few messages that have either: most transports need none.
  #marks: Map<number, Pick<Outgoing, 'id' | 'ephemeral'>> | undefined;

  get count(): number {
    return this.#ends.length;
  }

  /** Adds one encoded message, its LF included. */
  append(line: string, id?: string, ephemeral = false): void {
    if (id !== undefined || ephemeral) (this.#marks ??= new Map()).set(this.count, { id, ephemeral });
    this.text += line;
    this.#ends.push(this.text.length);
  }

  /** The message at a place; its text is a slice that shares memory with the batch. */
  at(index: number): Outgoing {
    const text = this.text.slice(this.#ends[index - 1] ?? 0, (this.#ends[index] ?? 1) - 1);
    return { text, id: undefined, ephemeral: false, ...this.#marks?.get(index) };
  }

  *messages(): IterableIterator<Outgoing> {
    for (let index = 0; index < this.count; index++) yield this.at(index);
  }
}

/** Encodes messages into a batch, for callers without a session. Throws `TypeError` for what JSON cannot express. */
export function batchOf(...messages: readonly object[]): Batch {
  const batch = new TextBatch();
  for (const message of messages) batch.append(encodeLine(message));
  return batch;
}

/** A batch of the messages from a place on. */
export function batchFrom(batch: Batch, index: number): Batch {
  const rest = new TextBatch();
  for (const { text, id, ephemeral } of batch.messages()) {
    if (index-- <= 0) rest.append(`${text}\n`, id, ephemeral);
  }
  return rest;
}
