import { ProtocolError } from '@proto/core';
import type { SessionMalformed } from '@proto/core/internal';

/** A line that is no message, or one of the wrong shape. */
export interface InvalidMessage extends ProtocolError {
  readonly code: 'invalid-message';
  /** All of it; what framing lost is no more than its beginning. Not shown where the error is: it may be anything. */
  readonly line: string;
}

/** The error of an item, with the line it is about. */
export function invalidMessage({ error: cause, excerpt }: SessionMalformed, line = excerpt): InvalidMessage {
  const issues = ProtocolError.is(cause) ? cause.issues : [];
  const error = new ProtocolError('invalid-message', cause.message, { cause, issues });
  // Not enumerable, so that no log holds what was said.
  return Object.defineProperty(error, 'line', { value: line }) as InvalidMessage;
}

/** The value, where it is the error of a line that is no message. */
export function asInvalidMessage(value: unknown): InvalidMessage | undefined {
  return ProtocolError.is(value) && value.code === 'invalid-message' && 'line' in value
    ? (value as InvalidMessage)
    : undefined;
}
