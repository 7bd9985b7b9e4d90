import type { Clock } from '@proto/core/reconnect';
import { type Random, randomFrom } from '../schedules/random.ts';
import type { Trace } from './trace.ts';

/** An event that is due at a virtual time. */
export interface Task {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  isOver: boolean;
}

/** The `setImmediate` of the platform, saved before a simulation replaces it. At the end of a turn of the event loop, all effects of an event are done. */
const turn = globalThis.setImmediate;

/** The time at which every simulation begins, in milliseconds since 1970. */
const BEGINNING = 1_700_000_000_000;

/** The longest wait for a condition, in virtual time. */
const LONG_MS = 3_600_000;

/**
 * Virtual time, and the list of all future events. Events happen one at a time, and each waits until all effects of the previous event are done. So the
 * seed alone determines the order of events.
 */
export class Scheduler implements Clock {
  readonly trace: Trace;
  readonly #seed: string;
  #time = BEGINNING;
  #order = 0;
  /** A heap: the next task is the first one. */
  readonly #tasks: Task[] = [];

  constructor(seed: string, trace: Trace) {
    this.#seed = seed;
    this.trace = trace;
  }

  /** Returns random numbers for one purpose, which do not depend on the numbers that are drawn for other purposes. */
  random(purpose: string): Random {
    return randomFrom(this.#seed, purpose);
  }

  /** The time, which is not rounded. */
  get time(): number {
    return this.#time;
  }

  now(): number {
    return Math.floor(this.#time);
  }

  setTimeout(run: () => void, ms: number): Task {
    return this.after(Math.max(0, ms), run);
  }

  clearTimeout(timer: unknown): void {
    if (timer !== undefined) (timer as Task).isOver = true;
  }

  /** Calls `run` in so many milliseconds. Events that are due at the same time happen in the order of the calls. */
  after(ms: number, run: () => void): Task {
    const task = { due: this.#time + ms, order: ++this.#order, run, isOver: false };
    this.#push(task);
    return task;
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    const end = this.#time + ms;
    await settled();
    while (await this.#step(end));
    this.#time = end;
  }

  /** Lets time pass until a condition holds. */
  async until(check: () => boolean, what: string): Promise<void> {
    const end = this.#time + LONG_MS;
    await settled();
    while (!check()) if (!(await this.#step(end))) throw new Error(`this has not happened within an hour: ${what}`);
  }

  async #step(end: number): Promise<boolean> {
    for (let task = this.#tasks[0]; task !== undefined && task.due <= end; task = this.#tasks[0]) {
      this.#pop();
      if (task.isOver) continue;
      task.isOver = true;
      this.#time = task.due;
      task.run();
      await settled();
      return true;
    }
    return false;
  }

  #push(task: Task): void {
    const heap = this.#tasks;
    let place = heap.length;
    for (; place > 0; ) {
      const above = (place - 1) >> 1;
      const other = heap[above] as Task;
      if (isBefore(other, task)) break;
      heap[place] = other;
      place = above;
    }
    heap[place] = task;
  }

  #pop(): void {
    const heap = this.#tasks;
    const last = heap.pop() as Task;
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Task, heap[below] as Task)) below++;
      const other = heap[below] as Task;
      if (isBefore(last, other)) break;
      heap[place] = other;
      place = below;
    }
    heap[place] = last;
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

/** Settles when everything that needs no time is done. */
function settled(): Promise<void> {
  return new Promise((resolve) => turn(resolve));
}
