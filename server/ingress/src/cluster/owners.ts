/** A session that another node owns. */
export interface HeldElsewhere {
  readonly heldBy: string;
  /** The milliseconds until the claim expires, unless it is renewed. */
  readonly heldForMs: number;
}

const MAX_REMEMBERED_SESSIONS = 10_000;

/**
 * The owners of sessions, as reported by the store. An entry is remembered until the claim could expire, so that not every request queries the store.
 * An entry becomes wrong if the node gives up the session earlier: that node then refuses the request sent to it, and the entry is removed here.
 */
export class Owners {
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly heldBy: string; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The node that is known to own a session. */
  of(session: string): HeldElsewhere | undefined {
    const known = this.#known.get(session);
    if (known === undefined) return undefined;
    const heldForMs = known.until - this.#now();
    if (heldForMs > 0) return { heldBy: known.heldBy, heldForMs };
    this.#known.delete(session);
    return undefined;
  }

  /** Remembers the store's answer to a query that was sent at time `asked`. */
  learn(session: string, { heldBy, heldForMs }: HeldElsewhere, asked: number): void {
    this.#known.set(session, { heldBy, until: asked + heldForMs });
    if (this.#known.size <= MAX_REMEMBERED_SESSIONS) return;
    for (const oldest of this.#known.keys()) return void this.#known.delete(oldest);
  }

  forget(session: string): void {
    this.#known.delete(session);
  }
}
