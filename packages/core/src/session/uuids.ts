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
  // Not randomUUID: browsers have it on secure pages only. Asked once: each call of it takes as long as all the rest.
  const random = crypto.getRandomValues(new Uint8Array(18));
  let used = 0;
  const digit = () => ((random[used++] as number) & 15).toString(16);
  const prefix = 'xxxxxxxx-xxxx-4xxx-8xxx-'.replaceAll('x', digit);
  let count = 0;
  return {
    next: () => prefix + (++count).toString(16).padStart(12, '0'),
    // Only numbers are compared: this is asked for each answer, and to write the id again takes three times as long.
    issued: (id) => id.startsWith(prefix) && Number(`0x${id.slice(prefix.length)}`) <= count,
  };
}
