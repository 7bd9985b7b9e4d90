import type { Clock } from '../async/deadline.ts';
import { TransportError } from '../error.ts';
import { FallbackInput } from './fallback-input.ts';
import { FallbackOutput } from './fallback-output.ts';
import { createDeferred, type Deferred } from '../async/deferred.ts';
import { RetryPolicy } from '../reconnect/retry-policy.ts';
import type {
  Batch,
  Cursor,
  Incoming,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from '../transport.ts';

/** `open` creates a transport that continues after a cursor. */
export interface Candidate {
  open(cursor: Cursor | undefined, retryFirstConnect: boolean): Transport;
}

export interface FallbackLimits {
  readonly clock: Clock;
  readonly cursor: Cursor | undefined;
  readonly retryFirstConnect: boolean;
  readonly fallbackAfterMs: number;
  readonly connectDeadlineMs: number;
  readonly reconnectDeadlineMs: number;
}

// If nothing arrives for this long after the link is up, the driver reports that the link is up and assumes that no message was missed.
const REPORT_UP_MS = 1000;

/** Uses a series of transports for the same session. Decides which transport is used, when to change to the next transport, and when to give up. */
export class FallbackDriver implements TransportDriver {
  readonly #control: TransportControl;
  readonly #candidates: readonly Candidate[];
  readonly #limits: FallbackLimits;
  readonly #refused = new Set<Candidate>();
  /** The candidates that ended by themselves before any link was up. Each candidate has one first attempt. */
  readonly #foundNobody = new Set<Candidate>();
  readonly #tried = new Set<Candidate>();
  readonly #input: FallbackInput;
  readonly #output: FallbackOutput;
  /** Decides how long attempts may continue, for all candidates together. */
  readonly #policy: RetryPolicy;
  #presentIndex = 0;
  #present: Transport | undefined;
  #everOpen = false;
  #isLeaving = false;
  #room: Deferred<void> | undefined;
  /** The error if the current transport was given up because it stayed without a link for too long. */
  #slow: TransportError | undefined;
  #slowTimer: unknown;
  #reportTimer: unknown;

  constructor(control: TransportControl, candidates: readonly Candidate[], limits: FallbackLimits) {
    this.#control = control;
    this.#candidates = candidates;
    this.#limits = limits;
    this.#policy = new RetryPolicy(limits);
    this.#output = new FallbackOutput(limits.clock, (error) =>
      control.receive([{ kind: 'malformed', error, excerpt: '' }]),
    );
    this.#input = new FallbackInput(limits.cursor, (id) => this.#output.hasSent(id));
    void this.#run();
  }

  get resumption() {
    return this.#input.resumption;
  }

  get unacknowledged() {
    return { batches: () => this.#output.unproved };
  }

  write(batch: Batch): Promise<void> {
    return this.#output.write(batch);
  }

  flush(): Promise<void> {
    return this.#output.flush();
  }

  end(): Promise<void> {
    return this.#output.end();
  }

  async close(): Promise<void> {
    this.#isLeaving = true;
    // Before the first link, a graceful close is impossible because no peer is connected.
    if (this.#everOpen) await Promise.race([this.#output.ready, this.#present?.closed]);
    await this.#present?.close();
  }

  abort(reason: TransportError): void {
    this.#isLeaving = true;
    this.#present?.abort(reason);
  }

  pause(): void {
    this.#room ??= createDeferred();
  }

  resume(): void {
    this.#room?.settle();
    this.#room = undefined;
  }

  async #run(): Promise<void> {
    for (;;) {
      const candidate = this.#candidates[this.#presentIndex] as Candidate;
      const close = await this.#follow(candidate);
      const error = this.#slow ?? close.error;
      if (error === undefined || this.#isLeaving) return this.#release(close.error, close);
      if (!error.retryable) this.#refused.add(candidate);
      if (!this.#everOpen && this.#slow === undefined) this.#foundNobody.add(candidate);
      this.#policy.onDown();
      const next = this.#nextUsableIndex();
      if (next === undefined || this.#policy.isSpent) return this.#release(error, close);
      this.#presentIndex = next;
      // The reader is notified if no server can be reached, but not if a server does not offer a kind of link.
      this.#report(this.#input.move(error, this.#everOpen || error.retryable));
    }
  }

  async #follow(candidate: Candidate): Promise<TransportClose> {
    const isFirst = !this.#everOpen && !this.#tried.has(candidate);
    this.#tried.add(candidate);
    const retryFirst = !isFirst || this.#limits.retryFirstConnect;
    const transport = (this.#present = candidate.open(this.#input.cursor, retryFirst));
    this.#slow = undefined;
    this.#watch();
    transport.opened.then(
      () => this.#onOpened(transport),
      () => {},
    );
    void transport.closed.then(() => this.#output.closed());
    try {
      for await (const items of transport.incoming) {
        this.#onItems(items);
        // Once the transport has ended, its few remaining messages are read without waiting for room, because the next transport is waiting.
        if (this.#room !== undefined) await Promise.race([this.#room.promise, transport.closed]);
      }
      if ((await valueIfFulfilled(transport.closed)) === undefined) this.#control.ended();
    } catch {
      // `closed` reports the end.
    }
    const close = await transport.closed;
    this.#clearTimers();
    this.#output.carryOver();
    return close;
  }

  /** Gives up the current transport if it stays without a link for some time from now on, unless no other candidate is left. */
  #watch(): void {
    const { clock, fallbackAfterMs } = this.#limits;
    clock.clearTimeout(this.#slowTimer);
    const due = clock.now() + fallbackAfterMs;
    this.#slowTimer = clock.setTimeout(() => {
      // The machine was asleep, so no attempt was made during that time.
      if (this.#policy.onTimer(due)) return this.#watch();
      if (this.#nextUsableIndex() === undefined || this.#isLeaving) return;
      this.#slow = new TransportError('timeout', `${this.#present?.name}: no connection for ${fallbackAfterMs} ms`);
      this.#present?.abort(this.#slow);
    }, fallbackAfterMs);
  }

  #onOpened(transport: Transport): void {
    if (this.#present !== transport) return;
    this.#onUp();
    this.#reportTimer = this.#limits.clock.setTimeout(() => this.#report(this.#input.up()), REPORT_UP_MS);
    void this.#output.opened(transport);
    if (this.#everOpen) return;
    this.#everOpen = true;
    this.#control.opened();
  }

  #onItems(items: readonly Incoming[]): void {
    for (const item of items) {
      if (item.kind === 'message') this.#policy.onProgress();
      if (item.kind !== 'link') continue;
      if (item.state === 'up') this.#onUp();
      else if (this.#policy.onDown()) this.#watch();
    }
    this.#control.receive(this.#input.take(items));
  }

  #onUp(): void {
    this.#policy.onUp();
    this.#limits.clock.clearTimeout(this.#slowTimer);
  }

  #nextUsableIndex(): number | undefined {
    for (let step = 1; step < this.#candidates.length; step++) {
      const next = (this.#presentIndex + step) % this.#candidates.length;
      const candidate = this.#candidates[next] as Candidate;
      const isSpent = !this.#everOpen && !this.#limits.retryFirstConnect && this.#foundNobody.has(candidate);
      if (!this.#refused.has(candidate) && !isSpent) return next;
    }
    return undefined;
  }

  #report(news: readonly Incoming[]): void {
    if (news.length > 0) this.#control.receive(news);
  }

  #clearTimers(): void {
    for (const timer of [this.#slowTimer, this.#reportTimer]) this.#limits.clock.clearTimeout(timer);
  }

  #release(error: TransportError | undefined, close: TransportClose): void {
    this.#output.release();
    this.#control.closed(error, close.status === undefined ? {} : { status: close.status });
  }
}

function valueIfFulfilled<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, Promise.resolve(undefined)]);
}
