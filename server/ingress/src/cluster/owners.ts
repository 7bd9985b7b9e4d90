/** A session that another node has. */
export interface HeldElsewhere {
  readonly heldBy: string;
  /** The milliseconds until its claim runs out, unless it is renewed. */
  readonly heldForMs: number;
}

const MAX_REMEMBERED_SESSIONS = 10_000;

/**
 * The nodes that have sessions, as the store has said. Remembered until their claims could run out, so that not every request asks the store. What is
 * remembered may be wrong earlier, when a node gives up a session: it then refuses the request that is sent to it, and the session is forgotten here.
 */
export class Owners {
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly heldBy: string; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The node that is known to have a session. */
  of(session: string): HeldElsewhere | undefined {
    const known = this.#known.get(session);
    if (known === undefined) return undefined;
    const heldForMs = known.until - this.#now();
    if (heldForMs > 0) return { heldBy: known.heldBy, heldForMs };
    this.#known.delete(session);
    return undefined;
  }

  /** Remembers what the store has said after it was asked at `asked`. */
  learn(session: string, { heldBy, heldForMs }: HeldElsewhere, asked: number): void {
    this.#known.set(session, { heldBy, until: asked + heldForMs });
    if (this.#known.size <= MAX_REMEMBERED_SESSIONS) return;
    for (const oldest of this.#known.keys()) return void this.#known.delete(oldest);
  }

  forget(session: string): void {
    this.#known.delete(session);
  }
}
