import { connectFailureOf, type RequestSecrets, withoutSecrets } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import type { LinkEnd } from './socket-link.ts';

/**
 * Returns the error for a link that broke or could not be opened, and may be opened again. `hint` explains in words why the link ended. The error
 * does not quote `secrets`, although the socket's own error may quote the address.
 */
export function lostError(end: LinkEnd, wasUp: boolean, hint?: string, secrets?: RequestSecrets): TransportError {
  const { status = end.code, silent } = end;
  const isForeign = end.cause !== undefined && !TransportError.is(end.cause);
  const cause = isForeign ? withoutSecrets(end.cause, secrets) : end.cause;
  const about = { status, ...(cause !== undefined && { cause }) };
  const failure = wasUp || end.status !== undefined ? undefined : connectFailureOf(cause);
  if (silent) {
    const text = wasUp ? 'nothing arrived for too long' : 'no answer in time';
    return new TransportError('timeout', `websocket: ${text}`, about);
  }
  const text = failure === undefined ? wordsOf(end, hint) : `cannot connect: ${failure.text}`;
  return new TransportError(wasUp ? 'lost' : 'connect-failed', `websocket: ${text}`, about);
}

function wordsOf({ status, code }: LinkEnd, hint: string | undefined): string {
  const what = status === undefined ? `closed with ${code}` : `refused with status ${status}`;
  return hint === undefined ? what : `${what}: ${hint}`;
}
