import type { Clock } from '@proto/core/reconnect';

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer = { due: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer);
  }

  get waiting(): number {
    return this.#timers.size;
  }

  /** Completes all work that is due at the current time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.settle();
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      this.#fire(next);
      await this.settle();
    }
    this.#now = end;
  }

  /** Simulates sleep of the machine: the time advances, and no timer runs on time. */
  async sleep(ms: number): Promise<void> {
    this.#now += ms;
    await this.pass(0);
  }

  async until(check: () => boolean, what: string): Promise<void> {
    for (let steps = 0; steps < 100_000; steps++) {
      await this.settle();
      if (check()) return;
      const next = this.#next();
      if (next === undefined) break;
      this.#fire(next);
    }
    throw new Error(`this never happened: ${what}`);
  }

  #next(): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.due - b.due)[0];
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.#now = Math.max(this.#now, timer.due);
    timer.run();
  }
}
