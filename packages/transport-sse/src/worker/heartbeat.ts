import type { Clock, TransportError } from '@proto/core/transport';
import { RequestFailed, type RequestOptions } from '../requests.ts';
import { Scope } from '../scope.ts';
import { membersOf } from '../session-frames.ts';
import { classOfReport } from './status.ts';
import { sleep } from '../within.ts';
import { answerText } from './answer-text.ts';
import type { WorkerRequests } from './worker-requests.ts';

/** How often a worker says that it lives, where the server does not say otherwise, in milliseconds. */
export const DEFAULT_HEARTBEAT_MS = 20_000;

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
  classOf: classOfReport,
};

/** What beats are made with. */
export interface HeartbeatOptions {
  readonly requests: WorkerRequests;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onPermanent: (error: TransportError) => void;
}

/** Says that the worker lives, as often as the server wants to hear it. A beat that fails is none; the next one goes as usual. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #scope: Scope;
  #intervalMs = DEFAULT_HEARTBEAT_MS;
  #wake = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#scope = new Scope(options.signal);
  }

  /** Fulfils when the signal has aborted, or no beat will work any more. */
  async run(): Promise<void> {
    const { clock, signal, onPermanent } = this.#options;
    try {
      for (;;) {
        const woken = new Promise<void>((resolve) => (this.#wake = resolve));
        await sleep({ clock, ms: this.#intervalMs, signal }, woken);
        const advice = await this.#beat();
        this.#intervalMs = Math.min(Math.max(advice ?? this.#intervalMs, LEAST_MS), MOST_MS);
      }
    } catch (error) {
      if (error instanceof RequestFailed) onPermanent(error.error);
    }
  }

  /** One more, now. */
  beat(): void {
    this.#wake();
  }

  /** What the server advises, in milliseconds. */
  async #beat(): Promise<number | undefined> {
    const { requests, clock } = this.#options;
    try {
      return await this.#scope.run(async (signal) => {
        const response = await requests.open(BEAT, signal);
        const text = await answerText(response, { clock, maxBytes: MAX_ANSWER_BYTES, timeoutMs: TIMEOUT_MS, signal });
        const { heartbeat_interval_seconds: seconds } = membersOf(text === '' ? {} : JSON.parse(text));
        return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
      });
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (error instanceof RequestFailed && error.action === 'permanent') throw error;
      return undefined;
    }
  }
}
