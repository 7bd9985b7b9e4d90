// Lists whose elements are in the order of their positions. A search by halves does not read the whole list.

interface At {
  readonly at: number;
}

export function firstAfter<T extends At>(placed: readonly T[], at: number): T | undefined {
  return placed[countWhile(placed, (each) => each.at <= at)];
}

/** The first element at a position or after it. */
export function firstFrom<T extends At>(placed: readonly T[], at: number): T | undefined {
  return placed[countWhile(placed, (each) => each.at < at)];
}

/** Whether an element has one of two positions, or a position between them. */
export function hasFrom(placed: readonly At[], first: number, last: number): boolean {
  const found = firstFrom(placed, first);
  return found !== undefined && found.at <= last;
}

export function lastBefore<T extends At>(placed: readonly T[], at: number): T | undefined {
  return placed[countWhile(placed, (each) => each.at < at) - 1];
}

/** The elements after one position and before another one. */
export function between<T extends At>(placed: readonly T[], after: number, before: number): readonly T[] {
  return placed.slice(
    countWhile(placed, (each) => each.at <= after),
    countWhile(placed, (each) => each.at < before),
  );
}

/** How many of the first elements satisfy a condition that no element satisfies after one that does not. */
export function countWhile<T>(list: readonly T[], is: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
