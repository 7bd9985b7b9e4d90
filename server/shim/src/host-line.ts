import { ProtocolError } from '@proto/core';
import { cutText, type WireMessage } from '@proto/core/framing';
import { classifyInput, type IncomingMalformed } from '@proto/core/internal';
import type { IncomingMessage } from '@proto/core/transport';

/**
 * How an agent interprets a line from its host: as a message, or as a problem that makes the agent exit. A line that is neither a message nor such a
 * problem is ignored.
 */
export interface HostLine {
  readonly message?: WireMessage;
  readonly problem?: string;
}

// Long enough to recognize the type of a broken line.
const EXCERPT_LENGTH = 256;
const BODY: Readonly<Record<string, string>> = { control_request: 'request', control_response: 'response' };

/** Reads a line from the host in the same way as an agent. */
export function readHostLine(item: IncomingMessage | IncomingMalformed): HostLine {
  if (item.kind === 'malformed') return problemOf(item);
  const { message, error, reason } = item.read();
  if (message === undefined) return problemOf({ text: item.text, error, reason });
  const body = BODY[message.type];
  if (body !== undefined) {
    if (typeof message[body] === 'object' && message[body] !== null) return { message };
    const issues = [{ path: [body], message: 'must be an object' }];
    return problemOf({ text: item.text, error: new ProtocolError('invalid-message', message.type, { issues }) });
  }
  const { error: fatal } = classifyInput({ kind: 'message', message });
  return fatal === undefined ? { message } : { problem: stderrText(fatal) };
}

type Unreadable = Partial<Pick<IncomingMessage, 'text'>> & {
  readonly error: IncomingMalformed['error'] | ProtocolError;
  readonly reason?: ReturnType<IncomingMessage['read']>['reason'];
};

function problemOf({ text = '', error, reason }: Unreadable): HostLine {
  const excerpt = cutText(text, EXCERPT_LENGTH);
  const about = { error, excerpt, length: text.length, ...(reason !== undefined && { reason }) };
  const fatal = classifyInput({ kind: 'malformed', ...about }).error;
  return fatal === undefined ? {} : { problem: stderrText(fatal) };
}

function stderrText({ message }: Error): string {
  return message.startsWith('Error ') ? message : `Error: ${message}`;
}
