import { Session, type SessionContext } from './session.ts';

/** The sessions of a log, each in memory once while it is in use. */
export interface Sessions {
  create(title: string): Promise<Session>;
  /** Undefined where there is no such session. */
  find(id: string): Promise<Session | undefined>;
  /** Those in memory. */
  readonly loaded: Iterable<Session>;
  /** How many are in memory. */
  readonly size: number;
  /** Lets go of those that nobody used or read since the last call. */
  release(): void;
}

/** Session ids as the published clients accept them. */
const SESSION_ID = /^cse_[A-Za-z0-9_-]{1,128}$/;

/** Keeps at most one object for each session, so that its state has one place. */
export function createSessions(context: SessionContext): Sessions {
  const loaded = new Map<string, Session>();
  const loading = new Map<string, Promise<Session | undefined>>();
  let used = new Set<string>();

  const load = async (id: string) => {
    try {
      const session = await Session.load(context, id);
      if (session !== undefined) loaded.set(id, session);
      return session;
    } finally {
      loading.delete(id);
    }
  };
  return {
    async create(title) {
      const id = `cse_${crypto.randomUUID().replaceAll('-', '')}`;
      const session = await Session.create(context, { id, title, createdAt: context.now(), archived: false });
      loaded.set(id, session);
      used.add(id);
      return session;
    },
    async find(id) {
      if (!SESSION_ID.test(id)) return undefined;
      used.add(id);
      const present = loaded.get(id);
      if (present !== undefined) return present;
      const underWay = loading.get(id) ?? load(id);
      loading.set(id, underWay);
      return underWay;
    },
    get loaded() {
      return loaded.values();
    },
    get size() {
      return loaded.size;
    },
    release() {
      for (const [id, session] of loaded) if (session.readers.size === 0 && !used.has(id)) loaded.delete(id);
      used = new Set();
    },
  };
}
