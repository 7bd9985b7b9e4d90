/**
 * Ids for requests and messages: UUIDs whose last group counts. One is as unlikely to meet another as a random one, costs a
 * fifth of it, and whether an id was ever given out is known without remembering any.
 */
export interface Uuids {
  next(): string;
  /** True for an id that `next` has given out. */
  issued(id: string): boolean;
}

export function createUuids(): Uuids {
  // Not randomUUID: browsers have it on secure pages only.
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const prefix = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-`;
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
