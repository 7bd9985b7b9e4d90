/**
 * Ids for requests and messages: UUIDs whose last group counts. One is as unlikely to meet another as a random one, costs a
 * fifth of it, and whether an id was ever given out is known without remembering any.
 */
export interface Uuids {
  next(): string;
  /** True for an id that `next` has given out. */
  issued(id: string): boolean;
}

/** Makes a source of ids with a random beginning of its own. */
export function createUuids(): Uuids {
  // Not randomUUID: browsers have it on secure pages only.
  const words = crypto.getRandomValues(new Uint32Array(3));
  const [a, b, c] = Array.from(words, (word) => word.toString(16).padStart(8, '0')) as [string, string, string];
  const prefix = `${a}-${b.slice(4)}-4${b.slice(0, 3)}-8${c.slice(5)}-`;
  const idOf = (count: number) => prefix + count.toString(16).padStart(12, '0');
  let count = 0;
  return {
    next: () => idOf(++count),
    issued(id) {
      const counted = id.startsWith(prefix) ? Number.parseInt(id.slice(prefix.length), 16) : Number.NaN;
      return counted >= 1 && counted <= count && idOf(counted) === id;
    },
  };
}
