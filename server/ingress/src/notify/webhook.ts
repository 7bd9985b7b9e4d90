import { backoffMs, type Clock } from '@proto/core/reconnect';
import { retryAfterMs, sleep, systemClock } from '@proto/core/network';
import { invalidOption } from './notify-options.ts';
import { createWebhookSigner, type WebhookSigner } from './webhook-signature.ts';

/** An attempt that has no answer after this time has failed. */
const ATTEMPT_MS = 15_000;
/** With the delays below, the last attempt is made after about an hour and a half. */
const MAX_ATTEMPTS = 15;
const BACKOFF = { baseMs: 2000, capMs: 600_000 };
const MAX_CONCURRENT_POSTS = 10;
/** Further answers of the range 400 to 499 are final. */
const RETRIED = new Set([408, 425, 429]);

export interface WebhookMessage {
  /** The receiver drops a further message with the same id. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
}

/** A message that was not delivered, and will not be sent again. The error contains neither the address nor the secret. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface WebhookOptions {
  readonly url: string;
  readonly secret: string;
  /** Breaks the attempts that are being made. */
  readonly closing: AbortSignal;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** Posts signed messages to one address, a few at a time, and repeats what fails. */
export class Webhook {
  readonly #url: string;
  readonly #sign: WebhookSigner;
  readonly #fetch: typeof globalThis.fetch;
  readonly #clock: Clock;
  readonly #closing: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #posts = 0;

  /** @throws {TypeError} for an address or a secret that cannot be used */
  constructor({ url, secret, closing, fetch = globalThis.fetch, clock = systemClock }: WebhookOptions) {
    this.#url = checkedUrl(url);
    this.#sign = createWebhookSigner(secret);
    this.#closing = closing;
    this.#fetch = fetch;
    this.#clock = clock;
  }

  /**
   * Fulfils when the receiver has taken the message. `signal` prevents further attempts, but does not break the present
   * one. Rejects with the reason of the signal, or with a `WebhookError` after a final refusal or the last attempt.
   */
  async deliver(message: WebhookMessage, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const failure = await this.#attempt(message);
      if (failure === undefined) return;
      if (failure.isFinal || attempt === MAX_ATTEMPTS) {
        throw new WebhookError(`webhook: ${message.type} was not delivered after ${attempt} attempts: ${failure.text}`);
      }
      const ms = Math.max(failure.retryAfterMs ?? 0, backoffMs(attempt + 1, BACKOFF));
      await sleep({ ms, signal, clock: this.#clock });
    }
  }

  async #attempt(message: WebhookMessage): Promise<Failure | undefined> {
    await this.#turn();
    try {
      return await this.#post(message);
    } finally {
      this.#posts--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#posts >= MAX_CONCURRENT_POSTS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#posts++;
  }

  async #post({ id, type, data }: WebhookMessage): Promise<Failure | undefined> {
    const sentAt = this.#clock.now();
    const body = JSON.stringify({ type, timestamp: new Date(sentAt).toISOString(), data });
    const headers = { 'content-type': 'application/json', ...this.#sign(id, sentAt, body) };
    const late = new AbortController();
    const timer = this.#clock.setTimeout(() => late.abort(), ATTEMPT_MS);
    try {
      // A redirect would send the message to an address that nobody has configured.
      const init: RequestInit = { method: 'POST', headers, body, redirect: 'manual' };
      const response = await this.#fetch(this.#url, { ...init, signal: AbortSignal.any([this.#closing, late.signal]) });
      void response.body?.cancel().catch(() => {});
      return failureOf(response, sentAt);
    } catch {
      // The error of a platform may quote the address, which may contain a token.
      return { text: late.signal.aborted ? 'no answer in time' : 'the receiver cannot be reached', isFinal: false };
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }
}

interface Failure {
  readonly text: string;
  readonly isFinal: boolean;
  readonly retryAfterMs?: number | undefined;
}

function failureOf({ status, headers }: Response, now: number): Failure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const isFinal = status >= 400 && status < 500 && !RETRIED.has(status);
  return { text: `status ${status}`, isFinal, retryAfterMs: retryAfterMs(headers.get('retry-after'), now) };
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (url === undefined || !isSafe) {
    throw invalidOption('url', 'be an address that begins with https:, or with http: on this machine');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidOption('url', 'not contain a name or a password: the receiver checks the signature');
  }
  return url.href;
}
