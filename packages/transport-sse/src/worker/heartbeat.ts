import { sleep } from '@proto/core/network';
import type { Clock } from '@proto/core/reconnect';
import type { RequestOptions } from '../requests.ts';
import type { RequestRetries } from '../request-retries.ts';
import { meaningOfReport } from '../response-status.ts';
import { jsonOf, membersOf } from '../session-frames.ts';
import { answerText } from './answer-text.ts';

const DEFAULT_HEARTBEAT_MS = 20_000;

const LEAST_MS = 10_000;
const MOST_MS = 300_000;
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const BEAT: RequestOptions = {
  path: '/worker/heartbeat',
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: ({ sessionId, epoch }) => JSON.stringify({ session_id: sessionId, worker_epoch: epoch }),
  timeoutMs: TIMEOUT_MS,
  meaningOf: meaningOfReport,
};

export interface HeartbeatOptions {
  readonly retries: RequestRetries;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The server may set the interval between heartbeats. A failed heartbeat is not repeated. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #intervalMs = DEFAULT_HEARTBEAT_MS;
  #wake = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        await sleep({ clock, ms: this.#intervalMs, signal }, woken);
        const advice = await this.#beat();
        this.#intervalMs = Math.min(Math.max(advice ?? this.#intervalMs, LEAST_MS), MOST_MS);
      }
    } catch {
      // The code that ended the requests also reports the reason.
    }
  }

  beat(): void {
    this.#wake();
  }

  /** Returns the interval that the server requests, in milliseconds. */
  async #beat(): Promise<number | undefined> {
    const { retries, clock } = this.#options;
    let text = '';
    await retries.send({
      ...BEAT,
      async onAnswer(response, signal) {
        text = await answerText(response, { clock, maxBytes: MAX_ANSWER_BYTES, timeoutMs: TIMEOUT_MS, signal });
      },
      again: () => false,
    });
    const { heartbeat_interval_seconds: seconds } = membersOf(jsonOf(text));
    return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
  }
}
