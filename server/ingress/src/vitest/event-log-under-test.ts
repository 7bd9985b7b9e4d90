import type { EventLog, EventLogOptions, NewEvent } from '../log/event-log.ts';

/** A store, in the form that `testEventLog` needs. Cases for omitted members are reported as skipped. */
export interface EventLogUnderTest {
  /** The name of the store in the titles of the tests. */
  readonly name: string;
  /** Opens a new, empty store, whose clock is `options.now`. */
  open(options: EventLogOptions): EventLog | Promise<EventLog>;
  /** For a durable store: opens the store of `log` again, after `log` was closed. */
  reopen?(log: EventLog, options: EventLogOptions): EventLog | Promise<EventLog>;
  /**
   * For a store of several nodes: opens another log on the store of `log`, which stays open. Without this member, the two nodes of a case share one
   * log, and cases that need two logs are skipped. The case closes the logs that it opened.
   */
  another?(log: EventLog, options: EventLogOptions): EventLog | Promise<EventLog>;
  /**
   * For a store that can be restored: makes a backup of the store of `log`, lets `lose` write events that will be lost, replaces the store with the
   * backup, and opens it. `lose` closes `log`.
   */
  restore?(log: EventLog, lose: () => Promise<void>, options: EventLogOptions): Promise<EventLog>;
  /** For a store that can run out of space: uses up the space, or frees space again if `enough` is true. */
  room?(log: EventLog, enough: boolean): void | Promise<void>;
}

/** The store used by one case, and its clock. */
export interface LogContext {
  readonly log: EventLog;
  /** The log of another node on the same store; `log` itself if `another` is not given. */
  readonly other: EventLog;
  readonly under: EventLogUnderTest;
  readonly options: EventLogOptions & { readonly maxAgeMs: number; readonly now: () => number };
  /** Moves the clock of the store forward by `ms` milliseconds. */
  pass(ms: number): void;
}

/** One promise of `EventLog`, and the test of this promise. */
export interface EventLogCase {
  readonly title: string;
  readonly needs?: 'another' | 'reopen' | 'restore' | 'room';
  /** The size limit of each stream, in bytes. */
  readonly maxBytes?: number;
  /** The size limit of all streams together, in bytes. */
  readonly maxTotalBytes?: number;
  /** Rejects if the store breaks the promise. */
  run(context: LogContext): Promise<void>;
}

/** Creates an event with this id. The payload is the id as JSON, padded to `size` characters. */
export function event(id: string, size = 0): NewEvent {
  return { id, type: 'user', source: 'client', payload: JSON.stringify(id.padEnd(Math.max(0, size - 2), '.')) };
}

/** Creates events with the ids `prefix1` to `prefixN`. */
export function events(count: number, prefix = 'e'): NewEvent[] {
  return Array.from({ length: count }, (_, index) => event(`${prefix}${index + 1}`));
}

/** Claims a stream for a node and returns the epoch. Fails if another node has the claim. */
export async function claimed(log: EventLog, node: string, { stream = 's', ttlMs = 1000 } = {}): Promise<number> {
  const { epoch, heldBy } = await log.claim(stream, node, ttlMs);
  if (epoch === undefined) throw new Error(`${node} did not get the claim, because ${heldBy} holds the claim`);
  return epoch;
}
