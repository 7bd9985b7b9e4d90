import { randomUUID } from 'node:crypto';
import { Claims } from './claims.ts';
import { type EventLog, EventLogError, type EventLogOptions, type WriteCondition } from './event-log.ts';
import { MemoryStreams } from './memory-streams.ts';
import { Tails } from './tails.ts';

/** A store in memory. */
export interface MemoryEventLog extends EventLog {
  /**
   * Opens another log on this store, as another node would. This log may already be closed. The store exists as long as any of its logs is
   * referenced.
   */
  another(): MemoryEventLog;
}

interface MemoryStore {
  readonly identity: string;
  readonly streams: MemoryStreams;
  readonly claims: Claims;
  /** The tails of each open log. */
  readonly tails: Set<Tails>;
  readonly now: () => number;
}

/** Creates a store that exists as long as its process: for tests, and for sessions whose loss does not matter. */
export function createMemoryEventLog(options: EventLogOptions = {}): MemoryEventLog {
  const { now = Date.now } = options;
  const identity = randomUUID();
  return openLog({ identity, streams: new MemoryStreams(options), claims: new Claims(), tails: new Set(), now });
}

function openLog(store: MemoryStore): MemoryEventLog {
  const { identity, streams, claims, now } = store;
  const tails = new Tails((name) => streams.lastOf(name));
  store.tails.add(tails);
  let isClosed = false;
  const check = () => {
    if (isClosed) throw new EventLogError('closed', 'event log: the log is closed');
  };
  const checkWrite = (name: string, condition: WriteCondition | undefined) => {
    check();
    const refusal = condition && claims.refusalOf(name, condition, () => streams.lastOf(name));
    if (refusal !== undefined) throw refusal;
  };
  /** Runs a piece of work. This function is async, so that an error always rejects the promise and is never thrown synchronously. */
  const use = async <Result>(work: () => Result) => {
    check();
    return work();
  };
  const close = async () => {
    isClosed = true;
    store.tails.delete(tails);
    tails.close();
  };
  return {
    identity,
    commonWith: (_name, other) => use(() => (other === identity ? Infinity : 0)),
    async append(name, events, condition) {
      checkWrite(name, condition);
      const appended = streams.write(name, now(), (stream, allows) => stream.append(events, now(), allows)) ?? [];
      for (const one of store.tails) one.wake(name);
      return appended;
    },
    read: (name, after, limits) => use(() => streams.find(name)?.read(after, limits) ?? { events: [], last: 0 }),
    find: (name, id) => use(() => streams.find(name)?.find(id)),
    readDocument: (name, document) => use(() => streams.find(name)?.readDocument(document)),
    async writeDocument(name, document, text, condition) {
      checkWrite(name, condition);
      streams.write(name, now(), (stream, allows) => stream.writeDocument(document, text, allows));
    },
    tail: (name, after, signal) => tails.tail(name, after, signal),
    claim: (name, node, ttlMs) => use(() => claims.claim(name, node, ttlMs, now())),
    release: (name, epoch) => use(() => claims.release(name, epoch)),
    async expire() {
      check();
      await claims.expire(now(), streams.maxAgeMs);
      await streams.expire(now, () => isClosed);
    },
    listStreams: (query) => use(() => streams.list(query)),
    usage: () => use(() => streams.usage),
    another: () => openLog(store),
    close,
    [Symbol.asyncDispose]: close,
  };
}
