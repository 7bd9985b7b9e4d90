interface Place<T> {
  readonly item: T;
  before: Place<T> | undefined;
  after: Place<T> | undefined;
}

export interface TurnQueueOptions<T> {
  /** Must not reject: the result of the turn reports a failure. */
  readonly run: (items: readonly T[]) => Promise<void>;
  /** Whether an item may share a batch with other items. Default: each item runs alone. */
  readonly merges?: (item: T) => boolean;
}

/** Runs the added items in order, one batch at a time. A batch is a single item, or several adjacent items that may be merged. */
export class TurnQueue<T> {
  readonly #options: TurnQueueOptions<T>;
  // A linked list, so that adding or removing an item does not move the other items: a host may queue thousands of prompts,
  // and may put each new prompt at the front of the queue.
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;
  // The items of `addLater` are at the end of the queue. This is the first of them.
  #firstLater: Place<T> | undefined;
  // The items of `addUrgent` are at the beginning of the queue. This is the last of them.
  #lastUrgent: Place<T> | undefined;
  #size = 0;
  #isRunning = false;
  #idle: (() => void)[] = [];

  constructor(options: TurnQueueOptions<T>) {
    this.#options = options;
  }

  /** Running items are not counted. */
  get size(): number {
    return this.#size;
  }

  get waiting(): readonly T[] {
    return Array.from(this.#places(), ({ item }) => item);
  }

  /** Adds an item after all waiting items, but before the items that were added with `addLater`. */
  add(item: T): void {
    if (this.#firstLater === undefined) this.#insert(item, this.#last, undefined);
    else this.#insert(item, this.#firstLater.before, this.#firstLater);
  }

  /** Adds an item after all waiting items. Items that are added with other methods in the meantime run before this item. */
  addLater(item: T): void {
    this.#insert(item, this.#last, undefined, 'later');
  }

  /** Adds an item before all waiting items, but after waiting items that were added earlier with this method. */
  addUrgent(item: T): void {
    const before = this.#lastUrgent;
    this.#insert(item, before, before === undefined ? this.#first : before.after, 'urgent');
  }

  addFirst(item: T): void {
    this.#insert(item, undefined, this.#first);
  }

  /** The removed item never runs. Items after an item for which `blocks` returns `true` are not taken. */
  takeFirst(matches: (item: T) => boolean, blocks: (item: T) => boolean = () => false): T | undefined {
    for (const place of this.#places()) {
      if (matches(place.item)) return this.#unlink(place);
      if (blocks(place.item)) return undefined;
    }
    return undefined;
  }

  remove(matches: (item: T) => boolean): readonly T[] {
    const removed: T[] = [];
    for (const place of this.#places()) if (matches(place.item)) removed.push(this.#unlink(place));
    return removed;
  }

  idle(): Promise<void> {
    return this.#isRunning ? new Promise((resolve) => this.#idle.push(resolve)) : Promise.resolve();
  }

  *#places(): Generator<Place<T>> {
    for (let place = this.#first; place !== undefined; place = place.after) yield place;
  }

  #insert(item: T, before: Place<T> | undefined, after: Place<T> | undefined, kind?: 'urgent' | 'later'): void {
    const place = { item, before, after };
    if (kind === 'later') this.#firstLater ??= place;
    if (kind === 'urgent') this.#lastUrgent = place;
    if (before === undefined) this.#first = place;
    else before.after = place;
    if (after === undefined) this.#last = place;
    else after.before = place;
    this.#size++;
    void this.#drain();
  }

  #unlink(place: Place<T>): T {
    const { item, before, after } = place;
    if (place === this.#firstLater) this.#firstLater = after;
    if (place === this.#lastUrgent) this.#lastUrgent = before;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    this.#size--;
    return item;
  }

  #nextBatch(): readonly T[] {
    const { merges = () => false } = this.#options;
    const batch: T[] = [];
    for (const place of this.#places()) {
      const fits = batch.length === 0 || (merges(place.item) && merges(batch[0] as T));
      if (!fits) break;
      batch.push(this.#unlink(place));
    }
    return batch;
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) await this.#options.run(batch);
    // Set in the same tick as the last check of the queue, so that no item can be added in between and left in the queue.
    this.#isRunning = false;
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve of waiting) resolve();
  }
}
