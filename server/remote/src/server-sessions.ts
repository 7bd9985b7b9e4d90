import { isTooDeep } from '@proto/core/internal';
import { isLogName, numberedCursor, parseNumberedCursor } from '@proto/core/network';
import type { Cursor } from '@proto/core/transport';
import { requestJson } from './open-session.ts';
import { sessionsUrl, sessionUrl } from './session-address.ts';

/** A page of consecutive events of a session, after a given position. */
export interface EventsAfter {
  /** Each event as one line of JSON, with its `sequence_num`, `source`, `created_at` and `payload`. */
  readonly lines: readonly string[];
  /** The position after which to continue. If the page has no events, it is the given position. */
  readonly next: Cursor;
  /** The position of the last event of the session. */
  readonly end: Cursor;
  /** The positions whose events are no longer kept; undefined if no event is missing. */
  readonly missing?: Places | undefined;
  /**
   * The positions that were lost because the log was restored from an older backup. These positions now contain different events, which are returned
   * next. Undefined if the log was not restored.
   */
  readonly lost?: Places | undefined;
}

/** A range of positions in a log, both ends included. */
export interface Places {
  /** The sequence number of the first event in the range. */
  readonly from: number;
  /** The sequence number of the last event in the range. */
  readonly to: number;
}

/** Facts about a session, as a server returns them. */
export type SessionFacts = Readonly<Record<string, unknown>>;

/** The sessions of a server, for programs that manage them. */
export interface SessionSource {
  /** Returns a page of sessions, newest first. `next` is the `before` of the next page. */
  list(before?: string): Promise<{ readonly sessions: readonly SessionFacts[]; readonly next: string | undefined }>;
  /** Returns the facts about a session. Rejects if the session does not exist. */
  show(id: string): Promise<SessionFacts>;
  /** Returns a page of events after a position, oldest first. Rejects if the session does not exist. */
  eventsAfter(id: string, after: Cursor): Promise<EventsAfter>;
  /** Archives a session: it can still be read, but accepts no more messages. Absent if the source is not a server. */
  archive?(id: string): Promise<void>;
  /** Deletes a session with all its events. Absent for servers: a server drops a session when its events are too old. */
  remove?(id: string): Promise<unknown>;
  /** Releases the source, such as the file of a store. Call no other method after it. */
  close(): Promise<void>;
}

const PAGE = 100;

/** Returns an event as a line of JSON. If the payload is nested too deep to be encoded, null is written instead of the payload. */
function lineOf(event: SessionFacts): string {
  if (!isTooDeep(event['payload'])) return JSON.stringify(event);
  const { sequence_num, source, created_at } = event;
  return JSON.stringify({ sequence_num, source, created_at, payload: null });
}

/**
 * Opens the sessions of a server, with the rights of a token. A server cannot delete a session, so the result has no `remove`. Archive a session
 * instead. The server drops an archived session when its events are too old. Every call rejects with a `SessionError` if the server cannot be reached
 * or refuses the request.
 */
export function serverSessions(base: string, token: string | undefined): SessionSource {
  return {
    async list(before) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(before !== undefined && { before }) });
      const { data, next_before: next } = await requestJson(`${sessionsUrl(base)}?${query.toString()}`, token);
      return { sessions: Array.isArray(data) ? data : [], next: typeof next === 'string' ? next : undefined };
    },
    async show(id) {
      return Object((await requestJson(sessionUrl(base, id), token))['session']) as SessionFacts;
    },
    async eventsAfter(id, after) {
      const body = await requestJson(`${sessionUrl(base, id)}/events?after=${encodeURIComponent(after)}`, token);
      const events = (Array.isArray(body['data']) ? body['data'] : []) as readonly SessionFacts[];
      const { missing, gap: lost, log } = body as Pick<EventsAfter, 'missing'> & { gap?: Places; log?: unknown };
      const last = Number(body['last_sequence_num'] ?? 0);
      // Only a page that is followed by another page has `next_cursor`.
      const reached = Number(body['next_cursor'] ?? last);
      const [asked] = parseNumberedCursor(after);
      const placeOf = (sequence: number) => numberedCursor(sequence, isLogName(log) ? log : undefined);
      const next = placeOf(lost === undefined ? Math.max(asked, reached) : reached);
      return { lines: events.map(lineOf), next, end: placeOf(last), missing, lost };
    },
    async archive(id) {
      await requestJson(`${sessionUrl(base, id)}/archive`, token, { method: 'POST' });
    },
    close: async () => {},
  };
}
