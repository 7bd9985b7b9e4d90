import { type Batch, TransportError } from '@proto/core/transport';
import type { RequestRetries } from './request-retries.ts';
import { type RefusedEntry, refusedEntries } from './refused-entries.ts';
import type { Recipient } from './requests.ts';
import { withMessageId, type IdentifiedMessage, type RetryMeaning } from '@proto/core/internal';

/** How long one POST may take, in milliseconds, beside 5 s for each MiB of it. */
export const DEFAULT_POST_TIMEOUT_MS = 30_000;
/** Messages in one POST. */
export const DEFAULT_MAX_POST_MESSAGES = 100;
/** The most of one POST, in UTF-16 units; a longer message is a POST of its own. */
export const DEFAULT_MAX_POST_BYTES = 4 * 1024 * 1024;

const MS_PER_BYTE = 5000 / 2 ** 20;

/** How messages are posted. */
export interface PostQueueOptions {
  readonly retries: RequestRetries;
  readonly path: string;
  readonly meaningOf: (status: number) => RetryMeaning;
  /** The members of the body beside `events`, as JSON text with a comma behind it. */
  readonly about: (to: Recipient) => string;
  /** What is ephemeral is marked so, and not said again when nobody knows whether it was heard: it is counted by no id. */
  readonly marksEphemeral?: boolean;
  readonly maxPostBytes?: number;
  readonly postTimeoutMs?: number;
  /** The server passed some messages over in a POST that it took. */
  readonly onRefused?: (refused: readonly RefusedEntry[]) => void;
  /** A message is about to be sent for the first time. */
  readonly onSending?: (id: string) => void;
}

/** The server will never take some messages; those beside them arrived. */
export interface MessagesRefused extends TransportError {
  readonly code: 'rejected';
  /** The ids of those that were refused; undefined for one without. */
  readonly refused: readonly (string | undefined)[];
}

/** The error, if it says which messages were refused. */
export function asMessagesRefused(value: unknown): MessagesRefused | undefined {
  return TransportError.is(value) && 'refused' in value ? (value as MessagesRefused) : undefined;
}

/**
 * Posts what it is given, in order, one POST at a time, each again under the same ids until it is answered with 2xx. It keeps no
 * more than the batch it is given: `write` settles when the server has all of it.
 */
export class PostQueue {
  readonly #options: PostQueueOptions;

  constructor(options: PostQueueOptions) {
    this.#options = options;
  }

  /** Rejects with `MessagesRefused` when the server refused some; those behind them were sent all the same. */
  async write(batch: Batch): Promise<void> {
    const { maxPostBytes = DEFAULT_MAX_POST_BYTES, marksEphemeral = false } = this.#options;
    const refusals: Refusal[] = [];
    let post: Entry[] = [];
    let bytes = 0;
    for (const outgoing of batch.messages()) {
      const message = withMessageId(outgoing);
      if (post.length > 0 && (post.length >= DEFAULT_MAX_POST_MESSAGES || bytes + message.text.length > maxPostBytes)) {
        await this.#deliver(post, refusals);
        post = [];
        bytes = 0;
      }
      if (message.id !== undefined) this.#options.onSending?.(message.id);
      post.push({ ...message, ephemeral: marksEphemeral && outgoing.ephemeral });
      bytes += message.text.length;
    }
    if (post.length > 0) await this.#deliver(post, refusals);
    if (refusals[0] !== undefined) throw messagesRefused(refusals[0].error, refusals);
  }

  /** Halves what is refused until each refused message stands alone. The server counts none twice, by the ids. */
  async #deliver(messages: readonly Entry[], refusals: Refusal[]): Promise<void> {
    const { error, left } = await this.#insist(messages);
    if (error === undefined || left.length === 0) return;
    if (left.length === 1) return void refusals.push({ error, id: left[0]?.id });
    const half = left.length >> 1;
    await this.#deliver(left.slice(0, half), refusals);
    await this.#deliver(left.slice(half), refusals);
  }

  /** Posts until the server has taken it, or says that it will not; gives what was left to say by then. */
  async #insist(messages: readonly Entry[]): Promise<{ error: TransportError | undefined; left: readonly Entry[] }> {
    const { retries, path, meaningOf, about, onRefused, postTimeoutMs = DEFAULT_POST_TIMEOUT_MS } = this.#options;
    let left = messages;
    let events = eventsOf(left);
    const error = await retries.send({
      path,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: (to) => `{${about(to)}"events":[${events}]}`,
      timeoutMs: postTimeoutMs + events.length * MS_PER_BYTE,
      meaningOf,
      onTaken(answer) {
        const refused = refusedEntries(answer, left);
        if (refused.length > 0) onRefused?.(refused);
      },
      again(failure) {
        if (failure.error.status === undefined && left.some(({ ephemeral }) => ephemeral)) {
          left = left.filter(({ ephemeral }) => !ephemeral);
          events = eventsOf(left);
        }
        return left.length > 0;
      },
    });
    return { error, left };
  }
}

interface Entry extends IdentifiedMessage {
  readonly ephemeral: boolean;
}

function eventsOf(messages: readonly Entry[]): string {
  return messages.map(({ text, ephemeral }) => `{"payload":${text}${ephemeral ? ',"ephemeral":true' : ''}}`).join();
}

interface Refusal {
  readonly error: TransportError;
  readonly id: string | undefined;
}

function messagesRefused({ status }: TransportError, refusals: readonly Refusal[]): MessagesRefused {
  const text = `sse: ${refusals.length} messages refused with status ${status}`;
  const error = new TransportError('rejected', text, status === undefined ? {} : { status });
  return Object.assign(error, { refused: refusals.map(({ id }) => id) }) as MessagesRefused;
}
