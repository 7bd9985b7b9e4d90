import type { Clock } from '@proto/core/reconnect';
import type { Scheduler, Task } from './scheduler.ts';

/**
 * The machine of one run of a node. All input of the node goes through `enter`: requests, bytes, answers of the store, and timers. A stopped machine
 * handles no input until it wakes, and then all waiting input at once. A dead machine handles no more input.
 */
export class NodeMachine implements Clock {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #waiting: (() => void)[] = [];
  /** The offset of the wall clock of this machine from the virtual time, in milliseconds. */
  #offsetMs = 0;
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

  /** Does work on this machine, as soon as the machine runs. */
  enter(work: () => void): void {
    if (this.#state === 'runs') work();
    else if (this.#state === 'stopped') this.#waiting.push(work);
  }

  now(): number {
    return this.#scheduler.now() + this.#offsetMs;
  }

  setTimeout(run: () => void, ms: number): Task {
    const timer: Task = this.#scheduler.after(Math.max(0, ms), () => {
      // As on a machine that wakes from sleep, the timer fires unless it is cleared first.
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
    this.#offsetMs += ms;
  }

  stop(): void {
    if (this.#state === 'runs') this.#state = 'stopped';
  }

  /** Wakes the machine, and handles the waiting input in order. */
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
