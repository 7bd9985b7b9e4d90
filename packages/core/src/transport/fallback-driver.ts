import type { Clock } from './clock.ts';
import { TransportError } from './error.ts';
import { type Gate, newGate } from './gate.ts';
import { identifiedBatch } from './identified.ts';
import { OrderedCursors } from './ordered-cursors.ts';
import type {
  Batch,
  Cursor,
  Incoming,
  IncomingLink,
  IncomingMessage,
  Transport,
  TransportClose,
  TransportControl,
  TransportDriver,
} from './transport.ts';

/** One kind of link, which goes on behind a cursor. */
export interface Way {
  open(cursor: Cursor | undefined): Transport;
}

/** How long each may take, and what is known from before. */
export interface FallbackLimits {
  readonly clock: Clock;
  readonly cursor: Cursor | undefined;
  readonly fallbackAfterMs: number;
  readonly maxOpeningMs: number;
  readonly maxDownMs: number;
}

// Where nothing comes for so long, nothing was missed.
const TELL_UP_MS = 1000;
// A send that fails says only then whether it failed, or the link did.
const SEND_FAILED_MS = 250;
const MAX_SENT_IDS = 10_000;

/**
 * One transport after the other, for the same session. What the last one could not prove to have delivered is sent again by the next
 * one, under the same ids; the other side counts each once.
 *
 * States of the present one:
 * - `opening`: writes wait
 * - `carrying`: it is open, and is given what was sent before
 * - `ready`
 */
export class FallbackDriver implements TransportDriver {
  readonly resumption: OrderedCursors;
  readonly #control: TransportControl;
  readonly #ways: readonly Way[];
  readonly #limits: FallbackLimits;
  readonly #refused = new Set<Way>();
  readonly #sent = new Set<string>();
  #carried: Batch[] = [];
  #present: Transport | undefined;
  #ready = newGate<Transport | undefined>();
  #cursor: Cursor | undefined;
  #hasUnnumbered = false;
  #hasMoved = false;
  #everOpen = false;
  #isDown = false;
  #owesUp = false;
  #isLeaving = false;
  #isEnded = false;
  #isReady = false;
  #over = false;
  #room: Gate<void> | undefined;
  #downSince: number;
  #slowTimer: unknown;
  #tellTimer: unknown;

  constructor(control: TransportControl, ways: readonly Way[], limits: FallbackLimits) {
    this.#control = control;
    this.#ways = ways;
    this.#limits = limits;
    this.#cursor = limits.cursor;
    this.#downSince = limits.clock.now();
    this.resumption = new OrderedCursors(limits.cursor);
    void this.#run();
  }

  get retained() {
    return { batches: () => [...(this.#present?.retained?.batches() ?? []), ...this.#carried] };
  }

  async write(batch: Batch): Promise<void> {
    const kept = identifiedBatch(batch);
    for (const { id } of kept.messages()) if (id !== undefined) this.#remember(id);
    for (;;) {
      const transport = await this.#ready.promise;
      if (transport === undefined) return;
      try {
        return await transport.send(kept);
      } catch (error) {
        if (!(await this.#hasEnded(transport))) throw error;
        // It may have been stored before the link broke: then it is carried over.
        if (transport.retained?.batches().includes(kept) === true) return;
      }
    }
  }

  async flush(): Promise<void> {
    for (;;) {
      const transport = await this.#ready.promise;
      if (transport === undefined) return;
      try {
        return await transport.flush();
      } catch (error) {
        if (!(await this.#hasEnded(transport))) throw error;
      }
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    // One that is not ready has something to send before.
    if (this.#isReady) await this.#present?.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#isLeaving = true;
    // Before any link was up there is nothing to say goodbye to.
    if (this.#everOpen) await Promise.race([this.#ready.promise, this.#present?.closed]);
    await this.#present?.close();
  }

  abort(reason: TransportError): void {
    this.#isLeaving = true;
    this.#present?.abort(reason);
  }

  pause(): void {
    this.#room ??= newGate();
  }

  resume(): void {
    this.#room?.settle();
    this.#room = undefined;
  }

  async #run(): Promise<void> {
    for (let at = 0; ; ) {
      const way = this.#ways[at] as Way;
      const { close, error } = await this.#follow(way);
      const { clock, maxDownMs, maxOpeningMs } = this.#limits;
      if (error === undefined || this.#isLeaving) return this.#release(close.error, close);
      if (!error.retryable) this.#refused.add(way);
      const next = this.#nextAfter(at);
      const isLate = clock.now() - this.#downSince >= (this.#everOpen ? maxDownMs : maxOpeningMs);
      if (next === undefined || isLate) return this.#release(error, close);
      at = next;
      this.#hasMoved = true;
      if (!this.#everOpen) continue;
      this.#tellDown(error);
      this.#owesUp = true;
    }
  }

  /** Uses one transport until it ends, and tells why that is: an error where another one may do better. */
  async #follow(way: Way): Promise<{ readonly close: TransportClose; readonly error: TransportError | undefined }> {
    const transport = (this.#present = way.open(this.#cursor));
    let slow: TransportError | undefined;
    const { clock, fallbackAfterMs } = this.#limits;
    const watch = () => {
      clock.clearTimeout(this.#slowTimer);
      const due = clock.now() + fallbackAfterMs;
      this.#slowTimer = clock.setTimeout(() => {
        // The machine has slept: nobody has tried for that time.
        if (clock.now() - due > fallbackAfterMs) {
          this.#downSince = clock.now();
          return watch();
        }
        if (this.#nextAfter(this.#ways.indexOf(way)) === undefined || this.#isLeaving) return;
        slow = new TransportError('timeout', `${transport.name}: no link for ${fallbackAfterMs} ms`);
        transport.abort(slow);
      }, fallbackAfterMs);
    };
    watch();
    transport.opened.then(
      () => this.#onOpened(transport),
      () => {},
    );
    void transport.closed.then(() => this.#close());
    try {
      for await (const items of transport.incoming) {
        this.#onItems(items, watch);
        // What is left of one that has ended is not much, and the next one waits.
        if (this.#room !== undefined) await Promise.race([this.#room.promise, transport.closed]);
      }
      if ((await present(transport.closed)) === undefined) this.#control.ended();
    } catch {
      // `closed` tells.
    }
    const close = await transport.closed;
    this.#clearTimers();
    this.#carried = [...(transport.retained?.batches() ?? []), ...this.#carried];
    return { close, error: slow ?? close.error };
  }

  /** Whoever writes waits for the next one. */
  #close(): void {
    if (this.#isReady) this.#ready = newGate();
    this.#isReady = false;
  }

  #onOpened(transport: Transport): void {
    if (this.#present !== transport) return;
    this.#onUp();
    this.#tellTimer = this.#limits.clock.setTimeout(() => this.#tellUp(), TELL_UP_MS);
    void this.#carry(transport);
    if (this.#everOpen) return;
    this.#everOpen = true;
    this.#control.opened();
  }

  /** Sends what the ones before could not prove to have delivered. */
  async #carry(transport: Transport): Promise<void> {
    for (let batch = this.#carried[0]; batch !== undefined; batch = this.#carried[0]) {
      try {
        await transport.send(batch);
      } catch (error) {
        if (await this.#hasEnded(transport)) return;
        // Its sender was told that it was taken: now it is not.
        this.#control.receive([{ kind: 'malformed', error: TransportError.from(error), excerpt: '' }]);
      }
      this.#carried.shift();
    }
    if (this.#present !== transport) return;
    if (this.#isEnded) transport.end().catch(() => {});
    this.#isReady = true;
    this.#ready.settle(transport);
  }

  #onItems(items: readonly Incoming[], watch: () => void): void {
    const out: Incoming[] = [];
    for (const item of items) {
      if (item.kind === 'link') this.#onLink(item, out, watch);
      else {
        this.#owe(out);
        if (item.kind === 'message') {
          // What has a source and no place is of a log, and not kept there.
          this.#hasUnnumbered ||= item.cursor === undefined && item.source === undefined;
          if (item.cursor !== undefined) this.resumption.received((this.#cursor = item.cursor));
          if (this.#hasMoved && this.#isEcho(item)) continue;
        }
        out.push(item);
      }
    }
    this.#control.receive(out);
  }

  #onLink(item: IncomingLink, out: Incoming[], watch: () => void): void {
    out.push(item);
    if (item.state === 'up') {
      this.#owesUp = this.#isDown = false;
      return this.#onUp();
    }
    this.#isDown = true;
    this.#downSince = this.#limits.clock.now();
    watch();
  }

  #onUp(): void {
    this.#limits.clock.clearTimeout(this.#slowTimer);
    this.#downSince = this.#limits.clock.now();
  }

  /** What a transport before this one sent comes back as that of somebody else. */
  #isEcho(item: IncomingMessage): boolean {
    if (item.source === undefined || item.source === 'worker') return false;
    const uuid = item.read().message?.['uuid'];
    return typeof uuid === 'string' && this.#sent.has(uuid);
  }

  #tellDown(cause: TransportError): void {
    if (this.#isDown) return;
    this.#isDown = true;
    this.#downSince = this.#limits.clock.now();
    this.#control.receive([{ kind: 'link', state: 'down', attempt: 1, cause }]);
  }

  #owe(out: Incoming[]): void {
    if (!this.#owesUp) return;
    this.#owesUp = this.#isDown = false;
    // Who had no numbers cannot say what was missed.
    out.push({ kind: 'link', state: 'up', attempt: 1, resumed: !this.#hasUnnumbered });
  }

  #tellUp(): void {
    const out: Incoming[] = [];
    this.#owe(out);
    if (out.length > 0) this.#control.receive(out);
  }

  /** Whether a transport has ended, or does so in a moment. */
  async #hasEnded(transport: Transport): Promise<boolean> {
    const { clock } = this.#limits;
    let timer: unknown;
    const time = new Promise<undefined>((resolve) => {
      timer = clock.setTimeout(() => resolve(undefined), SEND_FAILED_MS);
    });
    const close = await Promise.race([transport.closed, time]);
    clock.clearTimeout(timer);
    return close !== undefined;
  }

  #nextAfter(at: number): number | undefined {
    for (let step = 1; step < this.#ways.length; step++) {
      const next = (at + step) % this.#ways.length;
      if (!this.#refused.has(this.#ways[next] as Way)) return next;
    }
    return undefined;
  }

  #remember(id: string): void {
    this.#sent.add(id);
    if (this.#sent.size <= MAX_SENT_IDS) return;
    for (const oldest of this.#sent) return void this.#sent.delete(oldest);
  }

  #clearTimers(): void {
    for (const timer of [this.#slowTimer, this.#tellTimer]) this.#limits.clock.clearTimeout(timer);
  }

  #release(error: TransportError | undefined, close: TransportClose): void {
    if (this.#over) return;
    this.#over = true;
    this.#clearTimers();
    this.#ready.settle(undefined);
    this.#control.closed(error, close.status === undefined ? {} : { status: close.status });
  }
}

/** What a promise has already; undefined while it is pending. */
function present<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, Promise.resolve(undefined)]);
}
