import type { Cursor } from '../transport.ts';

/** A place in a stream of numbered messages: the number of a message, and the name of the stream or log, if the stream or log has a name. */
export type NumberedPlace = readonly [id: number, name: string | undefined];

const LOG_NAME = /^[\w-]{1,64}$/;

/** Whether a value is allowed as the name of a log, which may be part of a header. */
export function isLogName(value: unknown): value is string {
  return typeof value === 'string' && LOG_NAME.test(value);
}

/** Returns the cursor for a place, in the form `NUMBER` or `NUMBER@NAME`. */
export function numberedCursor(id: number, name: string | undefined): Cursor {
  return name === undefined ? String(id) : `${id}@${name}`;
}

/** Reads a cursor. Without a cursor, returns the beginning of a stream without a name. */
export function parseNumberedCursor(cursor: Cursor = ''): NumberedPlace {
  const at = cursor.indexOf('@');
  return at < 0 ? [Number(cursor) || 0, undefined] : [Number(cursor.slice(0, at)) || 0, cursor.slice(at + 1)];
}
