const MAX_AT_ONCE = 20;
const EVERY_MS = 1000;
/** The maximum number of addresses. Above this number, a new address replaces the address whose last wrong token is the oldest. */
const MAX_ADDRESSES = 10_000;

/**
 * Counts the wrong tokens of each address separately. The limit is 20 wrong tokens at once, and then one a second. Earlier attempts with wrong tokens
 * never cause a correct token to be refused, because clients behind one proxy share an address.
 */
export class AttemptLimit {
  readonly #now: () => number;
  /** For each address, the time after which none of its wrong tokens counts any more. */
  readonly #paidUntil = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a wrong token. Returns how long the next attempt must wait, in milliseconds; 0 below the limit. */
  count(address = ''): number {
    const network = networkOf(address);
    const before = Math.max(this.#paidUntil.get(network) ?? 0, this.#now());
    // Attempts during the wait do not make the wait longer.
    const waitMs = Math.max(0, before - this.#now() - (MAX_AT_ONCE - 1) * EVERY_MS);
    this.#paidUntil.delete(network);
    this.#paidUntil.set(network, waitMs > 0 ? before : before + EVERY_MS);
    const [oldest] = this.#paidUntil.keys();
    if (this.#paidUntil.size > MAX_ADDRESSES && oldest !== undefined) this.#paidUntil.delete(oldest);
    return waitMs;
  }
}

/** Returns the address itself, or the /64 network of an IPv6 address, because one client usually controls all addresses of such a network. */
function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] as string).toLowerCase().split('::');
  const [first, last] = [head, tail ?? ''].map((half) => half.split(':').filter((group) => group !== '')) as [
    string[],
    string[],
  ];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array<string>(Math.max(0, missing)).fill('0'), ...last].slice(0, 4).join(':');
}
