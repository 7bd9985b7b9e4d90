import { ProtocolError, type WireMessage } from '@proto/core';
import { judgeStdin } from '@proto/core/internal';
import type { IncomingMalformed, IncomingMessage } from '@proto/core/transport';

/** A line of a host: the message it is, or why an agent that read it itself would end. Neither: it is passed over. */
export interface ReadLine {
  readonly message?: WireMessage;
  readonly problem?: string;
}

// Enough to tell by it which type a broken line seems to have had.
const EXCERPT_LENGTH = 256;
const BODY: Readonly<Record<string, string>> = { control_request: 'request', control_response: 'response' };

/** Reads a line of a host as an agent does. */
export function readLine(item: IncomingMessage | IncomingMalformed): ReadLine {
  if (item.kind === 'malformed') return problemOf(item);
  const { message, error, reason } = item.read();
  if (message === undefined) return problemOf({ text: item.text, error, reason });
  const body = BODY[message.type];
  if (body !== undefined) {
    if (typeof message[body] === 'object' && message[body] !== null) return { message };
    const issues = [{ path: [body], message: 'must be an object' }];
    return problemOf({ text: item.text, error: new ProtocolError('invalid-message', message.type, { issues }) });
  }
  const { error: fatal } = judgeStdin({ kind: 'message', message });
  return fatal === undefined ? { message } : { problem: textOf(fatal) };
}

type Unreadable = Partial<Pick<IncomingMessage, 'text'>> & {
  readonly error: IncomingMalformed['error'] | ProtocolError;
  readonly reason?: ReturnType<IncomingMessage['read']>['reason'];
};

function problemOf({ text = '', error, reason }: Unreadable): ReadLine {
  const excerpt = text.slice(0, EXCERPT_LENGTH);
  const about = { error, excerpt, length: text.length, ...(reason !== undefined && { reason }) };
  const fatal = judgeStdin({ kind: 'malformed', ...about }).error;
  return fatal === undefined ? {} : { problem: textOf(fatal) };
}

/** As agents write it on stderr. */
function textOf({ message }: Error): string {
  return message.startsWith('Error ') ? message : `Error: ${message}`;
}
