import type { SessionContext } from './session-context.ts';
import { Session } from './session.ts';

/** The sessions of a log, each in memory once while it is in use. */
export interface Sessions {
  /** Whether this session, or a further one, may be in memory; lets go of others that nobody reads, if need be. */
  hasRoom(id?: string): boolean;
  /** Undefined where the log has as many sessions as it may have. */
  create(title: string): Promise<Session | undefined>;
  /** Undefined where there is no such session. */
  find(id: string): Promise<Session | undefined>;
  /** Every one that somebody may have. */
  readonly alive: Iterable<Session>;
  /** How many are held in memory. */
  readonly size: number;
  /** Lets go of those that nobody used or read since the last call. */
  release(): void;
}

/** What sessions are made with. */
export interface SessionsOptions extends SessionContext {
  readonly maxSessions: number;
  readonly maxStoredSessions: number;
}

/** Session ids as the published clients accept them. */
const SESSION_ID = /^cse_[A-Za-z0-9_-]{1,128}$/;

/** Keeps at most one object for each session, so that its state has one place. */
export function createSessions({ maxSessions, maxStoredSessions, ...context }: SessionsOptions): Sessions {
  const loaded = new Map<string, Session>();
  const loading = new Map<string, Promise<Session | undefined>>();
  // Who has found one may be about to use it, such as a request whose body takes its time: until then there must be no second one.
  const letGo = new Map<string, WeakRef<Session>>();
  let used = new Set<string>();
  /** Those that are being made, and that the log may not count yet. */
  let making = 0;

  const hold = (id: string, session: Session) => {
    letGo.delete(id);
    loaded.set(id, session);
    used.add(id);
    return session;
  };
  const release = (id: string, session: Session) => {
    if (session.subscribers.size > 0) return;
    loaded.delete(id);
    letGo.set(id, new WeakRef(session));
  };
  const load = async (id: string) => {
    try {
      const session = await Session.load(context, id);
      return session && hold(id, session);
    } finally {
      loading.delete(id);
    }
  };
  return {
    hasRoom(id = '') {
      if (loaded.has(id)) return true;
      const isFull = () => loaded.size + loading.size >= maxSessions;
      for (const [other, session] of loaded) {
        if (!isFull()) break;
        release(other, session);
      }
      return !isFull();
    },
    async create(title) {
      making++;
      try {
        const { streams } = await context.log.usage();
        if (streams + making > maxStoredSessions) return undefined;
        const id = `cse_${crypto.randomUUID().replaceAll('-', '')}`;
        const record = { id, title, createdAt: context.now(), archived: false };
        return hold(id, await Session.create(context, record));
      } finally {
        making--;
      }
    },
    async find(id) {
      if (!SESSION_ID.test(id)) return undefined;
      const present = loaded.get(id) ?? letGo.get(id)?.deref();
      if (present !== undefined) return hold(id, present);
      const underWay = loading.get(id) ?? load(id);
      loading.set(id, underWay);
      return underWay;
    },
    get alive() {
      return [...loaded.values(), ...Array.from(letGo.values(), (session) => session.deref() ?? [])].flat();
    },
    get size() {
      return loaded.size;
    },
    release() {
      for (const [id, session] of loaded) if (!used.has(id)) release(id, session);
      for (const [id, session] of letGo) if (session.deref() === undefined) letGo.delete(id);
      used = new Set();
    },
  };
}
