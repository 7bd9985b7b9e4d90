import { type EventLog, EventLogError, type WriteCondition } from '../log/event-log.ts';

/** The period in which a node owns a session: from a claim until the claim is given up or lost. */
export interface Tenure {
  readonly epoch: number;
  /** Whether the tenure is over. After the end of a tenure, this node sends no events and no documents to the store under this tenure. */
  readonly isOver: boolean;
  /** Ends the tenure. Call this after a failed write, if it is unknown what the store contains. */
  end(): void;
}

/** The error for work on a session that this node does not own. */
export function notOurs(): EventLogError {
  return new EventLogError('fenced', 'another node has this session, or may take over the session; try again');
}

/**
 * The log for one session under one tenure. Every write carries the epoch. After the end of the tenure, nothing more is sent to the store, because
 * this node may have claimed and loaded the session again under the same name.
 */
export function fencedLog(log: EventLog, tenure: Tenure): EventLog {
  const write = async <Result>(work: (condition: WriteCondition) => Promise<Result>): Promise<Result> => {
    if (tenure.isOver) throw notOurs();
    try {
      return await work({ epoch: tenure.epoch });
    } catch (error) {
      // After a store failure, it is unknown what is stored, so the session has to be loaded again.
      if (EventLogError.is(error) && (error.code === 'fenced' || error.code === 'failed')) tenure.end();
      throw error;
    }
  };
  return withWrites(log, {
    append: (stream, events, condition) => write((own) => log.append(stream, events, { ...condition, ...own })),
    writeDocument: (stream, name, text, condition) =>
      write((own) => log.writeDocument(stream, name, text, { ...condition, ...own })),
  });
}

/** The log for reading the session of another node: the session is loaded as usual, but nothing is written, because only the owner may write. */
export function unwrittenLog(log: EventLog): EventLog {
  return withWrites(log, {
    append: () => Promise.reject(notOurs()),
    writeDocument: async () => {},
  });
}

function withWrites(log: EventLog, writes: Pick<EventLog, 'append' | 'writeDocument'>): EventLog {
  return {
    ...writes,
    get identity() {
      return log.identity;
    },
    commonWith: (...asked) => log.commonWith(...asked),
    read: (...asked) => log.read(...asked),
    find: (...asked) => log.find(...asked),
    readDocument: (...asked) => log.readDocument(...asked),
    tail: (...asked) => log.tail(...asked),
    claim: (...asked) => log.claim(...asked),
    release: (...asked) => log.release(...asked),
    expire: () => log.expire(),
    listStreams: (query) => log.listStreams(query),
    usage: () => log.usage(),
    close: () => log.close(),
    [Symbol.asyncDispose]: () => log.close(),
  };
}
