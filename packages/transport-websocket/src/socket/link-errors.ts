import { connectFailureOf, withoutSecrets } from '@proto/core/network';
import { TransportError, type TransportErrorCode } from '@proto/core/transport';
import type { LinkEnd } from './socket-link.ts';

/** The error for a link that broke or did not come up, and may come up again. `hint` says to a person what the end means. */
export function lostError(end: LinkEnd, wasUp: boolean, hint?: string): TransportError {
  if (end.silent) return errorOf(end, 'timeout', wasUp ? 'nothing was heard for too long' : 'no answer in time');
  if (wasUp) return errorOf(end, 'lost', wordsOf(end, hint));
  const failure = end.status === undefined ? connectFailureOf(quietCause(end)) : undefined;
  return errorOf(end, 'connect-failed', failure === undefined ? wordsOf(end, hint) : `cannot connect: ${failure.text}`);
}

function errorOf(end: LinkEnd, code: TransportErrorCode, text: string): TransportError {
  const { status = end.code } = end;
  const cause = quietCause(end);
  return new TransportError(code, `websocket: ${text}`, { status, ...(cause !== undefined && { cause }) });
}

/** The cause without secrets: an error of a socket may quote its address. */
function quietCause({ cause }: LinkEnd): Error | undefined {
  return cause === undefined || TransportError.is(cause) ? cause : withoutSecrets(cause);
}

function wordsOf({ status, code }: LinkEnd, hint: string | undefined): string {
  const what = status === undefined ? `closed with ${code}` : `refused with status ${status}`;
  return hint === undefined ? what : `${what}: ${hint}`;
}
