import { type ClusterOptions, urlOfNode } from '../cluster/cluster-options.ts';
import { fencedLog, notOurs, type Tenure, unwrittenLog } from '../cluster/fenced-log.ts';
import { SessionClaims } from '../cluster/session-claims.ts';
import { NotOwner } from '../forwarding/not-owner.ts';
import { StepCount, yieldToEventLoop } from '../event-loop.ts';
import type { SessionContext } from './session-context.ts';
import { Session } from './session.ts';

/** The options of the sessions of a server. */
export interface SessionsOptions extends SessionContext {
  readonly maxSessions: number;
  readonly maxStoredSessions: number;
  /** How this node shares the sessions of the log with other nodes. Default: no other node uses the log. */
  readonly cluster?: ClusterOptions | undefined;
}

/** The form of session ids that the published clients accept. */
const SESSION_ID = /^cse_[A-Za-z0-9_-]{1,128}$/;

/**
 * The sessions of a log. Each session has at most one object in memory, so that its state exists only once. If several nodes share the log, a node
 * must have claimed each session that it has in memory.
 */
export class Sessions {
  readonly #context: SessionContext;
  readonly #maxSessions: number;
  readonly #maxStoredSessions: number;
  /** Undefined if this is the only node. */
  readonly #claims: SessionClaims | undefined;
  readonly #loaded = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | undefined>>();
  // A request with a slow body may still refer to a session that was released. As long as it does, a second object must not exist for that session.
  readonly #letGo = new Map<string, WeakRef<Session>>();
  /** The sessions in memory that nobody reads. The session that has had no readers for the longest time is first. */
  readonly #idle = new Set<string>();
  #usedSinceRelease = new Set<string>();
  /** Sessions being created, which the log may not count yet. */
  #creating = 0;

  constructor({ maxSessions, maxStoredSessions, cluster, ...context }: SessionsOptions) {
    this.#context = { ...context, onReaders: (id, open) => this.#noteReaders(id, open) };
    this.#maxSessions = maxSessions;
    this.#maxStoredSessions = maxStoredSessions;
    const { log, clock, onError } = context;
    const onEnd = (id: string) => this.#lose(id);
    this.#claims = cluster && new SessionClaims({ ...cluster, log, clock, onError, onEnd });
  }

  get size(): number {
    return this.#loaded.size;
  }

  /** The claims of this node; undefined if this is the only node. */
  get claims(): Pick<SessionClaims, 'name' | 'doubt'> | undefined {
    return this.#claims;
  }

  /** Every session that a caller may still refer to, including released sessions. Let other work run while you iterate over very many sessions. */
  get alive(): Iterable<Session> {
    return this.#alive();
  }

  *#alive(): Generator<Session> {
    yield* this.#loaded.values();
    for (const letGo of this.#letGo.values()) {
      const session = letGo.deref();
      if (session !== undefined) yield session;
    }
  }

  /** Whether this node may answer for a session now. A process that was suspended may have lost the session since it began to answer. */
  mayAnswerFor(id: string): boolean {
    return this.#claims === undefined || this.#claims.has(id);
  }

  /**
   * Whether this session is in memory or there is room for it. Without an id: whether there is room for one more session. If memory is full, sessions
   * that nobody reads are released first.
   */
  hasRoom(id = ''): boolean {
    if (this.#loaded.has(id)) return true;
    const isFull = () => this.#loaded.size + this.#loading.size >= this.#maxSessions;
    for (const idle of this.#idle) {
      if (!isFull()) break;
      this.#release(idle);
    }
    return !isFull();
  }

  /** Creates a session; returns undefined if the log already has the maximum number of sessions. */
  async create(title: string): Promise<Session | undefined> {
    this.#creating++;
    try {
      const { streams } = await this.#context.log.usage();
      if (streams + this.#creating > this.#maxStoredSessions) return undefined;
      const id = `cse_${crypto.randomUUID().replaceAll('-', '')}`;
      const record = { id, title, createdAt: this.#context.now(), archived: false };
      const tenure = this.#claims && (await this.#take(id));
      const session = await Session.create(this.#contextOf(tenure), record);
      return tenure?.isOver === true ? session : this.#hold(id, session);
    } finally {
      this.#creating--;
    }
  }

  /** Returns a session that is in memory and that this node owns; undefined if `find` must be called. */
  present(id: string): Session | undefined {
    const session = this.mayAnswerFor(id) ? this.#loaded.get(id) : undefined;
    if (session !== undefined) this.#usedSinceRelease.add(id);
    return session;
  }

  /**
   * Finds a session, and loads it if necessary. Returns undefined if the session does not exist.
   * @throws {NotOwner} if another node owns the session.
   */
  async find(id: string): Promise<Session | undefined> {
    if (!SESSION_ID.test(id)) return undefined;
    const tenure = this.#claims && (await this.#take(id));
    const present = this.#loaded.get(id) ?? this.#letGo.get(id)?.deref();
    if (present !== undefined) return this.#hold(id, present);
    const loading = this.#loading.get(id) ?? this.#load(id, tenure);
    this.#loading.set(id, loading);
    return loading;
  }

  /** Returns a session for reading only. A session of another node is loaded from the log, and not kept in memory. */
  async look(id: string): Promise<Session | undefined> {
    if (this.mayAnswerFor(id)) return this.find(id);
    return Session.load({ ...this.#context, log: unwrittenLog(this.#context.log) }, id);
  }

  /** Whether a session exists, for a client that has not yet authenticated. */
  async exists(id: string): Promise<boolean> {
    return SESSION_ID.test(id) && (await this.#context.log.readDocument(id, 'session')) !== undefined;
  }

  /** Releases the sessions that nobody used or read since the previous call. Other work can run in between. */
  async release(): Promise<void> {
    const used = this.#usedSinceRelease;
    this.#usedSinceRelease = new Set();
    const steps = new StepCount();
    for (const id of this.#idle) {
      if (!used.has(id) && !this.#usedSinceRelease.has(id)) this.#release(id);
      if (steps.isStepDone) await yieldToEventLoop();
    }
    for (const [id, session] of this.#letGo) {
      if (session.deref() === undefined) this.#letGo.delete(id);
      if (steps.isStepDone) await yieldToEventLoop();
    }
    await this.#claims?.tidy((id) => this.#loaded.has(id) || this.#loading.has(id));
  }

  /** Gives up the claims of this node, so that other nodes do not have to wait. */
  async close(): Promise<void> {
    await this.#claims?.close();
  }

  #hold(id: string, session: Session): Session {
    this.#letGo.delete(id);
    this.#loaded.set(id, session);
    this.#usedSinceRelease.add(id);
    this.#noteReaders(id, session.subscribers.size);
    return session;
  }

  /**
   * Adds a session without readers to `#idle`, and removes any other session from it. A released session is never in `#idle`, even if a caller still
   * refers to the session.
   */
  #noteReaders(id: string, open: number): void {
    if (open > 0 || !this.#loaded.has(id)) this.#idle.delete(id);
    else this.#idle.add(id);
  }

  #release(id: string): void {
    const session = this.#loaded.get(id);
    this.#idle.delete(id);
    this.#loaded.delete(id);
    if (session !== undefined) this.#letGo.set(id, new WeakRef(session));
  }

  #lose(id: string): void {
    const session = this.#loaded.get(id) ?? this.#letGo.get(id)?.deref();
    this.#loaded.delete(id);
    this.#idle.delete(id);
    this.#letGo.delete(id);
    this.#loading.delete(id);
    session?.lose();
  }

  async #take(id: string): Promise<Tenure | undefined> {
    const taken = await this.#claims?.take(id);
    if (taken === undefined) return undefined;
    if ('heldBy' in taken) throw new NotOwner(id, urlOfNode(taken.heldBy));
    // The tenure may have ended before this function continued.
    if (taken.isOver) throw notOurs();
    return taken;
  }

  #contextOf(tenure: Tenure | undefined): SessionContext {
    if (tenure === undefined) return this.#context;
    return { ...this.#context, node: this.#claims?.name, log: fencedLog(this.#context.log, tenure) };
  }

  async #load(id: string, tenure: Tenure | undefined): Promise<Session | undefined> {
    try {
      const session = await Session.load(this.#contextOf(tenure), id);
      if (tenure?.isOver === true) throw notOurs();
      if (session === undefined) this.#claims?.letGo(id);
      return session && this.#hold(id, session);
    } finally {
      // The map may now contain the load of a later tenure.
      if (tenure?.isOver !== true) this.#loading.delete(id);
    }
  }
}
