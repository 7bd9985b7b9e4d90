import { type RetryMeaning, withMessageId } from '@proto/core/network';
import { type Batch, TransportError } from '@proto/core/transport';
import { typeOf } from './control-lines.ts';
import type { RequestRetries } from './request-retries.ts';
import { type RefusedEntry, refusedEntries } from './refused-entries.ts';
import { type Recipient, RequestFailed } from './requests.ts';
import { MessagesRefusedError } from './session-errors.ts';

const DEFAULT_POST_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_POST_MESSAGES = 100;
/** In UTF-16 units. A longer message is sent in a separate POST. */
export const DEFAULT_MAX_POST_BYTES = 4 * 1024 * 1024;

const EXTRA_MS_PER_BYTE = 5000 / 2 ** 20;

/** The limits of a POST. */
export interface PostLimits {
  /** The maximum length of the text in one POST, in UTF-16 units. Default 4 Mi. */
  readonly maxPostBytes?: number;
  /** How long one POST may take, in milliseconds. Each MiB of its body adds 5 s. Default 30 000. */
  readonly postTimeoutMs?: number;
}

export interface PostQueueOptions extends PostLimits {
  readonly retries: RequestRetries;
  readonly path: string;
  readonly meaningOf: (status: number) => RetryMeaning;
  /** Returns the members of the body before `events`, as JSON text that ends with a comma. */
  readonly about: (to: Recipient) => string;
  /**
   * Whether ephemeral messages are marked as ephemeral, and not repeated after a POST without an answer. The server does not keep the ids of such
   * messages, so it could not recognise a repeated message. Default false.
   */
  readonly marksEphemeral?: boolean;
  /**
   * Whether messages are posted without envelopes. Such a message has no ephemeral mark, so the server treats messages of type `stream_event` as
   * ephemeral, and this side does not repeat them. Default false.
   */
  readonly isBare?: boolean;
  /** Called when the server has accepted a POST but refused some of its messages. */
  readonly onRefused?: (refused: readonly RefusedEntry[]) => void;
  /** Called before a message is sent for the first time. */
  readonly onSending?: (id: string, text: string) => void;
}

/**
 * A POST is repeated with the same ids until the answer is 2xx. The queue holds only the batch of the current `write`, which settles when the server
 * has accepted the whole batch.
 */
export class PostQueue {
  readonly #options: PostQueueOptions;
  /** Whether the current `write` posts only durable messages, because its ephemeral messages are too old. */
  #isDurableOnly = false;

  constructor(options: PostQueueOptions) {
    this.#options = options;
  }

  /** Drops the ephemeral messages of the current `write` that the server has not accepted. */
  dropEphemeral(): void {
    this.#isDurableOnly = true;
  }

  /** @throws {MessagesRefusedError} if the server refused some messages. All other messages of the batch were sent. */
  async write(batch: Batch): Promise<void> {
    const { maxPostBytes = DEFAULT_MAX_POST_BYTES } = this.#options;
    this.#isDurableOnly = false;
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
      if (message.id !== undefined) this.#options.onSending?.(message.id, message.text);
      post.push({ ...message, ephemeral: this.#isEphemeral(outgoing) });
      bytes += message.text.length;
    }
    if (post.length > 0) await this.#deliver(post, refusals);
    if (refusals[0] === undefined) return;
    const ids = refusals.map(({ id }) => id);
    throw new MessagesRefusedError(ids, refusals[0].error.status);
  }

  #isEphemeral({ text, ephemeral }: Pick<Entry, 'text' | 'ephemeral'>): boolean {
    const { isBare = false, marksEphemeral = false } = this.#options;
    return isBare ? typeOf(text) === 'stream_event' : marksEphemeral && ephemeral;
  }

  /**
   * Splits a refused POST in half, repeatedly, until each refused message is in a POST by itself. The server recognises repeated messages by their
   * ids.
   */
  async #deliver(messages: readonly Entry[], refusals: Refusal[]): Promise<void> {
    const { error, left } = await this.#postUntilTaken(messages);
    if (error === undefined || left.length === 0) return;
    if (left.length === 1) return void refusals.push({ error, id: left[0]?.id });
    const half = left.length >> 1;
    await this.#deliver(left.slice(0, half), refusals);
    await this.#deliver(left.slice(half), refusals);
  }

  /** Returns the messages of the last attempt. */
  async #postUntilTaken(
    messages: readonly Entry[],
  ): Promise<{ error: TransportError | undefined; left: readonly Entry[] }> {
    const { retries, path, meaningOf, about, onRefused, postTimeoutMs = DEFAULT_POST_TIMEOUT_MS } = this.#options;
    const eventsOf = this.#options.isBare === true ? bareEvents : envelopes;
    const bytes = messages.reduce((sum, { text }) => sum + text.length, 0);
    let left = messages;
    const error = await retries.send({
      path,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: (to) => {
        if (this.#isDurableOnly) left = left.filter(isDurable);
        if (left.length === 0) throw new RequestFailed(NOTHING_LEFT, 'refused');
        return `{${about(to)}"events":[${eventsOf(left)}]}`;
      },
      timeoutMs: postTimeoutMs + bytes * EXTRA_MS_PER_BYTE,
      meaningOf,
      onTaken(answer) {
        const refused = refusedEntries(answer, left);
        if (refused.length > 0) onRefused?.(refused);
      },
      again(failure) {
        if (failure.error.status === undefined) left = left.filter(isDurable);
        return left.length > 0;
      },
    });
    return { error, left };
  }
}

// Ends a POST whose messages were all dropped. Not reported: no message was refused.
const NOTHING_LEFT = new TransportError('rejected', 'sse: no messages are left to post');

interface Entry extends ReturnType<typeof withMessageId> {
  readonly ephemeral: boolean;
}

function isDurable({ ephemeral }: Entry): boolean {
  return !ephemeral;
}

function bareEvents(messages: readonly Entry[]): string {
  return messages.map(({ text }) => text).join();
}

function envelopes(messages: readonly Entry[]): string {
  return messages.map(({ text, ephemeral }) => `{"payload":${text}${ephemeral ? ',"ephemeral":true' : ''}}`).join();
}

interface Refusal {
  readonly error: TransportError;
  readonly id: string | undefined;
}
