/**
 * Ids for requests and messages: UUIDs whose last group counts, after a random beginning. One is as unlikely to meet another as a
 * random one, costs a fifth of it, and whether an id was ever given out is known without remembering any.
 */
export class Uuids {
  /** The random beginning; made for the first id. */
  #prefix: string | undefined;
  #count = 0;

  next(): string {
    this.#prefix ??= 'xxxxxxxx-xxxx-4xxx-8xxx-'.replaceAll('x', randomDigit);
    return this.#prefix + (++this.#count).toString(16).padStart(12, '0');
  }

  /** True for an id that `next` has given out. */
  issued(id: string): boolean {
    const prefix = this.#prefix;
    // Only numbers are compared: this is asked for each answer, and to write the id again takes three times as long.
    return prefix !== undefined && id.startsWith(prefix) && Number(`0x${id.slice(prefix.length)}`) <= this.#count;
  }
}

// Asked for many at once: to ask for one takes as long as to make a session.
const random = new Uint8Array(4096);
let used = random.length;

/** Creates a random UUID. By hand where browsers have no `crypto.randomUUID`, on pages that are not secure: that takes much longer. */
export function randomUuid(): string {
  return crypto.randomUUID?.() ?? 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', randomDigit);
}

function randomDigit(): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  return ((random[used++] as number) & 15).toString(16);
}
