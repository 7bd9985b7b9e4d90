import type { Log } from '../process/log.ts';
import { plain } from '../view/terminal-text.ts';

/** A request that a session server has answered. */
export interface AnsweredRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  /** The type of the refusal. */
  readonly error?: string | undefined;
}

/** Events that a session server has stored, or could not store. */
export interface StoredEvents {
  /** How many events were stored. */
  readonly events: number;
  /** How many events the store had already. */
  readonly duplicates: number;
  /** How long the store took, in milliseconds. */
  readonly ms: number;
  /** The error code of the store. */
  readonly error?: string | undefined;
}

/** What the server calls. */
export interface ServerLog {
  /** Logs a request as `sjp:http`. */
  answered?(request: AnsweredRequest): void;
  /** Logs events as `sjp:store`. */
  appended?(stored: StoredEvents): void;
}

/** Logs what a session server does, at the level `debug`. Returns undefined if the log contains no such lines. Used by `sjp serve`. */
export function logServer(log: Log): ServerLog | undefined {
  const [http, store] = [log.debugs('http'), log.debugs('store')];
  if (!http && !store) return undefined;
  return {
    ...(http && { answered: (request) => logRequest(log, request) }),
    ...(store && { appended: (append) => logAppend(log, append) }),
  };
}

function logRequest(log: Log, { method, path, status, error, ...rest }: AnsweredRequest): void {
  const ms = rounded(rest.ms);
  const text = plain([method, path, status, `${ms} ms`, error].filter((part) => part !== undefined).join(' '));
  log.write({ level: 'debug', event: 'request', text, fields: { method, path, status, ms, error } });
}

function logAppend(log: Log, { events, duplicates, error, ...rest }: StoredEvents): void {
  const ms = rounded(rest.ms);
  const text = error === undefined ? `stored ${events} events in ${ms} ms` : `stored nothing: ${error}`;
  log.write({ level: 'debug', event: 'append', text, fields: { events, ms, error } });
  for (let dropped = 0; dropped < duplicates; dropped++) {
    log.write({ level: 'debug', event: 'duplicate', text: 'dropped a duplicate event', fields: {} });
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
