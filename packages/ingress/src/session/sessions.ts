import type { SessionContext } from './session-context.ts';
import { Session } from './session.ts';

/** What sessions are made with. */
export interface SessionsOptions extends SessionContext {
  readonly maxSessions: number;
  readonly maxStoredSessions: number;
}

/** Session ids as the published clients accept them. */
const SESSION_ID = /^cse_[A-Za-z0-9_-]{1,128}$/;

/** The sessions of a log. Each has at most one object in memory, so that its state has one place. */
export class Sessions {
  readonly #context: SessionContext;
  readonly #maxSessions: number;
  readonly #maxStoredSessions: number;
  readonly #loaded = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | undefined>>();
  // A request whose body is slow may still hold a session that was let go of. While it does, there must be no second object.
  readonly #letGo = new Map<string, WeakRef<Session>>();
  /** The sessions that were used since the last `release`. */
  #used = new Set<string>();
  /** How many sessions are being created. The log may not count them yet. */
  #creating = 0;

  constructor({ maxSessions, maxStoredSessions, ...context }: SessionsOptions) {
    this.#context = context;
    this.#maxSessions = maxSessions;
    this.#maxStoredSessions = maxStoredSessions;
  }

  /** How many sessions are held in memory. */
  get size(): number {
    return this.#loaded.size;
  }

  /** Every session that anybody may hold, also one that was let go of. */
  get alive(): readonly Session[] {
    const letGo = Array.from(this.#letGo.values(), (session) => session.deref() ?? []).flat();
    return [...this.#loaded.values(), ...letGo];
  }

  /** Whether this session, or a further one, may be in memory. Lets go of sessions that nobody reads to make room. */
  hasRoom(id = ''): boolean {
    if (this.#loaded.has(id)) return true;
    const isFull = () => this.#loaded.size + this.#loading.size >= this.#maxSessions;
    for (const [other, session] of this.#loaded) {
      if (!isFull()) break;
      this.#release(other, session);
    }
    return !isFull();
  }

  /** Creates a session; undefined if the log has as many sessions as it may have. */
  async create(title: string): Promise<Session | undefined> {
    this.#creating++;
    try {
      const { streams } = await this.#context.log.usage();
      if (streams + this.#creating > this.#maxStoredSessions) return undefined;
      const id = `cse_${crypto.randomUUID().replaceAll('-', '')}`;
      const record = { id, title, createdAt: this.#context.now(), archived: false };
      return this.#hold(id, await Session.create(this.#context, record));
    } finally {
      this.#creating--;
    }
  }

  /** Finds a session, and loads it if need be; undefined if there is no such session. */
  async find(id: string): Promise<Session | undefined> {
    if (!SESSION_ID.test(id)) return undefined;
    const present = this.#loaded.get(id) ?? this.#letGo.get(id)?.deref();
    if (present !== undefined) return this.#hold(id, present);
    const loading = this.#loading.get(id) ?? this.#load(id);
    this.#loading.set(id, loading);
    return loading;
  }

  /** Lets go of the sessions that nobody used or read since the last call. */
  release(): void {
    for (const [id, session] of this.#loaded) if (!this.#used.has(id)) this.#release(id, session);
    for (const [id, session] of this.#letGo) if (session.deref() === undefined) this.#letGo.delete(id);
    this.#used = new Set();
  }

  #hold(id: string, session: Session): Session {
    this.#letGo.delete(id);
    this.#loaded.set(id, session);
    this.#used.add(id);
    return session;
  }

  #release(id: string, session: Session): void {
    if (session.subscribers.size > 0) return;
    this.#loaded.delete(id);
    this.#letGo.set(id, new WeakRef(session));
  }

  async #load(id: string): Promise<Session | undefined> {
    try {
      const session = await Session.load(this.#context, id);
      return session && this.#hold(id, session);
    } finally {
      this.#loading.delete(id);
    }
  }
}
