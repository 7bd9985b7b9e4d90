import { backoffMs, type BackoffOptions, type Batch, type Clock, TransportError } from '@proto/core/transport';
import { sleep } from './within.ts';
import { type IdentifiedMessage, identified } from './identified.ts';
import { RequestFailed, type Requests } from './requests.ts';
import { scoped } from './scope.ts';
import { classOfPost } from './status.ts';

/** How long one POST may take, in milliseconds, beside 5 s for each MiB of it. */
export const DEFAULT_POST_TIMEOUT_MS = 30_000;
/** Messages in one POST. */
export const DEFAULT_MAX_POST_MESSAGES = 100;
/** The most of one POST, in UTF-16 units; a longer message is a POST of its own. */
export const DEFAULT_MAX_POST_BYTES = 4 * 1024 * 1024;

const POST_BACKOFF_MS = 500;
const MS_PER_BYTE = 5000 / 2 ** 20;

/** How messages are posted. */
export interface PostQueueOptions extends Pick<BackoffOptions, 'capMs' | 'random'> {
  readonly requests: Requests;
  readonly clock: Clock;
  /** Ends all that is under way. */
  readonly signal: AbortSignal;
  readonly maxPostBytes?: number;
  readonly postTimeoutMs?: number;
  /** A message is about to be sent for the first time. */
  readonly onSending: (id: string) => void;
  /** Nothing can be posted any more. */
  readonly onPermanent: (error: TransportError) => void;
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
  #wake: (() => void) | undefined;

  constructor(options: PostQueueOptions) {
    this.#options = options;
  }

  /** Rejects with `MessagesRefused` when the server refused some; those behind them were sent all the same. */
  async write(batch: Batch): Promise<void> {
    const { maxPostBytes = DEFAULT_MAX_POST_BYTES } = this.#options;
    const refusals: Refusal[] = [];
    let post: IdentifiedMessage[] = [];
    let bytes = 0;
    for (const outgoing of batch.messages()) {
      const message = identified(outgoing);
      if (post.length > 0 && (post.length >= DEFAULT_MAX_POST_MESSAGES || bytes + message.text.length > maxPostBytes)) {
        await this.#deliver(post, refusals);
        post = [];
        bytes = 0;
      }
      if (message.id !== undefined) this.#options.onSending(message.id);
      post.push(message);
      bytes += message.text.length;
    }
    if (post.length > 0) await this.#deliver(post, refusals);
    if (refusals[0] !== undefined) throw messagesRefused(refusals[0].error, refusals);
  }

  /** The server can be reached: what waits for its next attempt need not. */
  wake(): void {
    this.#wake?.();
  }

  /** Halves what is refused until each refused message stands alone. The server counts none twice, by the ids. */
  async #deliver(messages: readonly IdentifiedMessage[], refusals: Refusal[]): Promise<void> {
    const refused = await this.#insist(messages);
    if (refused === undefined) return;
    if (messages.length === 1) return void refusals.push({ error: refused, id: messages[0]?.id });
    const half = messages.length >> 1;
    await this.#deliver(messages.slice(0, half), refusals);
    await this.#deliver(messages.slice(half), refusals);
  }

  /** Posts until the server has taken it, or says that it will not. */
  async #insist(messages: readonly IdentifiedMessage[]): Promise<TransportError | undefined> {
    const { capMs, random, onPermanent } = this.#options;
    const backoff = { baseMs: POST_BACKOFF_MS, ...(capMs !== undefined && { capMs }), ...(random && { random }) };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#post(messages);
        return undefined;
      } catch (failure) {
        if (!(failure instanceof RequestFailed)) throw failure;
        if (failure.action === 'refused') return failure.error;
        if (failure.action === 'permanent') {
          onPermanent(failure.error);
          throw failure.error;
        }
        // A broken connection is worth another one at once, a server that answered so is not.
        if (attempt === 1 && failure.error.status !== undefined) attempt++;
        await this.#pause(backoffMs(attempt, backoff), failure.retryAfterMs);
      }
    }
  }

  #post(messages: readonly IdentifiedMessage[]): Promise<void> {
    const { requests, postTimeoutMs = DEFAULT_POST_TIMEOUT_MS } = this.#options;
    const events = messages.map(({ text }) => `{"payload":${text}}`).join();
    const timeoutMs = postTimeoutMs + events.length * MS_PER_BYTE;
    return scoped(this.#options.signal, async (signal) => {
      const response = await requests.open({
        path: '/events',
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: (sessionId) => `{"session_id":${JSON.stringify(sessionId)},"events":[${events}]}`,
        timeoutMs,
        classOf: classOfPost,
        signal,
      });
      await requests.finish(response, signal);
    });
  }

  /** Until the time is over. What the server did not ask for is cut short when it can be reached again. */
  async #pause(backoff: number, retryAfterMs: number): Promise<void> {
    const { clock, signal } = this.#options;
    const ms = Math.max(backoff, retryAfterMs);
    const woken = new Promise<void>((resolve) => {
      if (retryAfterMs === 0) this.#wake = resolve;
    });
    await scoped(signal, (pause) => Promise.race([woken, sleep({ clock, ms, signal: pause })]));
    this.#wake = undefined;
  }
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
