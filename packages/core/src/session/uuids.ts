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
  const prefix = 'xxxxxxxx-xxxx-4xxx-8xxx-'.replaceAll('x', randomDigit);
  let count = 0;
  return {
    next: () => prefix + (++count).toString(16).padStart(12, '0'),
    // Only numbers are compared: this is asked for each answer, and to write the id again takes three times as long.
    issued: (id) => id.startsWith(prefix) && Number(`0x${id.slice(prefix.length)}`) <= count,
  };
}

// Asked for many at once: to ask for one takes as long as to make a session.
const random = new Uint8Array(4096);
let used = random.length;

/** Not by randomUUID: browsers have it on secure pages only. */
function randomDigit(): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  return ((random[used++] as number) & 15).toString(16);
}
