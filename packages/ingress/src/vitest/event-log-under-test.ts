import type { EventLog, EventLogOptions, NewEvent } from '../log/event-log.ts';

/** What `testEventLog` is told about a store. What is left out is reported as skipped. */
export interface EventLogUnderTest {
  readonly name: string;
  /** Makes a fresh, empty store. */
  open(options: EventLogOptions): EventLog | Promise<EventLog>;
  /** For a store that outlives its process: opens again what `log` keeps, after `log` was closed. */
  reopen?(log: EventLog, options: EventLogOptions): EventLog | Promise<EventLog>;
  /** For a store that can run out of room: takes the room away, or gives it back. */
  room?(log: EventLog, enough: boolean): void | Promise<void>;
}

/** What one case works with. */
export interface LogContext {
  readonly log: EventLog;
  readonly under: EventLogUnderTest;
  readonly options: EventLogOptions & { readonly maxAgeMs: number; readonly now: () => number };
  /** Lets the clock of the store go on. */
  pass(ms: number): void;
}

/** One thing that the seam promises, and how it is seen. */
export interface EventLogCase {
  readonly title: string;
  readonly needs?: 'reopen' | 'room';
  /** Of each stream, in bytes. */
  readonly maxBytes?: number;
  /** Of all streams, in bytes. */
  readonly maxTotalBytes?: number;
  /** Rejects where the store breaks the promise. */
  run(context: LogContext): Promise<void>;
}

/** An event of the given id; its payload is so many characters of JSON, and the id by default. */
export function event(id: string, size = 0): NewEvent {
  return { id, type: 'user', source: 'client', payload: JSON.stringify(id.padEnd(Math.max(0, size - 2), '.')) };
}

/** Events with the ids `prefix1` to `prefixN`. */
export function events(count: number, prefix = 'e'): NewEvent[] {
  return Array.from({ length: count }, (_, index) => event(`${prefix}${index + 1}`));
}
