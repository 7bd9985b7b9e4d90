/** Runs what is added, in order: one batch at a time, of what waits together and may be merged. */
export interface TurnQueue<T> {
  /** How many wait behind the running ones. */
  readonly size: number;
  /** What waits, in order. */
  readonly waiting: readonly T[];
  add(item: T): void;
  /** Adds it ahead of all that waits. */
  addFirst(item: T): void;
  /** Takes the first that waits and matches out of the queue, so that it never runs. */
  takeFirst(matches: (item: T) => boolean): T | undefined;
  /** Takes all that waits and matches. */
  remove(matches: (item: T) => boolean): readonly T[];
  /** Fulfils when nothing runs and nothing waits. */
  idle(): Promise<void>;
}

/** Something that waits, between its neighbours. */
interface Place<T> {
  readonly item: T;
  before: Place<T> | undefined;
  behind: Place<T> | undefined;
}

/**
 * `run` must not reject: what goes wrong in a turn is told in its result. `merges` says of what waits whether it may run with others;
 * default is that each runs alone.
 */
export function createTurnQueue<T>(
  run: (items: readonly T[]) => Promise<void>,
  merges: (item: T) => boolean = () => false,
): TurnQueue<T> {
  // A chain, so that one is added or taken out anywhere without touching the others: a host may have thousands wait, and each of them
  // ahead of the others.
  let first: Place<T> | undefined;
  let last: Place<T> | undefined;
  let size = 0;
  let running = false;
  let idle: (() => void)[] = [];

  function insert(item: T, before: Place<T> | undefined, behind: Place<T> | undefined): void {
    const place = { item, before, behind };
    if (before === undefined) first = place;
    else before.behind = place;
    if (behind === undefined) last = place;
    else behind.before = place;
    size++;
    void drain();
  }

  function unlink({ item, before, behind }: Place<T>): T {
    if (before === undefined) first = behind;
    else before.behind = behind;
    if (behind === undefined) last = before;
    else behind.before = before;
    size--;
    return item;
  }

  function* places(): Generator<Place<T>> {
    for (let place = first; place !== undefined; place = place.behind) yield place;
  }

  function next(): readonly T[] {
    const batch: T[] = [];
    for (const place of places()) {
      const fits = batch.length === 0 || (merges(place.item) && merges(batch[0] as T));
      if (!fits) break;
      batch.push(unlink(place));
    }
    return batch;
  }

  async function drain(): Promise<void> {
    if (running) return;
    running = true;
    for (let batch = next(); batch.length > 0; batch = next()) await run(batch);
    // In the same tick as the last look at the queue, so that nothing added meanwhile is left behind.
    running = false;
    const settled = idle;
    idle = [];
    for (const resolve of settled) resolve();
  }

  return {
    get size() {
      return size;
    },
    get waiting() {
      return Array.from(places(), ({ item }) => item);
    },
    add: (item) => insert(item, last, undefined),
    addFirst: (item) => insert(item, undefined, first),
    takeFirst(matches) {
      for (const place of places()) if (matches(place.item)) return unlink(place);
      return undefined;
    },
    remove(matches) {
      const removed: T[] = [];
      for (const place of places()) if (matches(place.item)) removed.push(unlink(place));
      return removed;
    },
    idle: () => (running ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}
