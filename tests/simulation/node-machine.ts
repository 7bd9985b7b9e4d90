import type { Clock } from '@proto/core/reconnect';
import type { Scheduler, Task } from './scheduler.ts';

/**
 * The machine on which one run of a node lives. Everything that comes to the node from outside comes through `enter`: a request, bytes, an answer of
 * the store, a timer. A machine that is stopped takes nothing until it wakes, and then everything at once; one that is dead takes nothing any more.
 */
export class NodeMachine implements Clock {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #waiting: (() => void)[] = [];
  /** How far the wall clock of this machine is ahead. */
  #ahead = 0;
  #state: 'runs' | 'stopped' | 'dead' = 'runs';

  constructor(name: string, scheduler: Scheduler) {
    this.name = name;
    this.#scheduler = scheduler;
  }

  get isDead(): boolean {
    return this.#state === 'dead';
  }

  get runs(): boolean {
    return this.#state === 'runs';
  }

  /** Does something on this machine, as soon as it runs. */
  enter(work: () => void): void {
    if (this.#state === 'runs') work();
    else if (this.#state === 'stopped') this.#waiting.push(work);
  }

  now(): number {
    return this.#scheduler.now() + this.#ahead;
  }

  setTimeout(run: () => void, ms: number): Task {
    const timer: Task = this.#scheduler.after(Math.max(0, ms), () => {
      // Like the clock of a machine that wakes: the timer fires, unless it is cleared first.
      timer.isOver = false;
      this.enter(() => {
        if (!timer.isOver) run();
        timer.isOver = true;
      });
    });
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#scheduler.clearTimeout(timer);
  }

  /** Sets the wall clock forward or back. Timers do not notice. */
  jump(ms: number): void {
    this.#ahead += ms;
  }

  stop(): void {
    if (this.#state === 'runs') this.#state = 'stopped';
  }

  /** Wakes the machine: what came meanwhile happens now, one after the other. */
  wake(): void {
    if (this.#state !== 'stopped') return;
    this.#state = 'runs';
    for (const work of this.#waiting.splice(0)) this.#scheduler.after(0, () => this.enter(work));
  }

  kill(): void {
    this.#state = 'dead';
    this.#waiting.length = 0;
  }
}
