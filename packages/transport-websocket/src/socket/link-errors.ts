import { connectFailureOf, type RequestSecrets, withoutSecrets } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import type { LinkEnd } from './socket-link.ts';

/**
 * The error for a link that broke or did not come up, and may come up again. `hint` says to a person what the end means. The error quotes nothing of
 * `secrets`: that of a socket may quote its address.
 */
export function lostError(end: LinkEnd, wasUp: boolean, hint?: string, secrets?: RequestSecrets): TransportError {
  const { status = end.code, silent } = end;
  const isForeign = end.cause !== undefined && !TransportError.is(end.cause);
  const cause = isForeign ? withoutSecrets(end.cause, secrets) : end.cause;
  const about = { status, ...(cause !== undefined && { cause }) };
  const failure = wasUp || end.status !== undefined ? undefined : connectFailureOf(cause);
  if (silent) {
    const text = wasUp ? 'nothing was heard for too long' : 'no answer in time';
    return new TransportError('timeout', `websocket: ${text}`, about);
  }
  const text = failure === undefined ? wordsOf(end, hint) : `cannot connect: ${failure.text}`;
  return new TransportError(wasUp ? 'lost' : 'connect-failed', `websocket: ${text}`, about);
}

function wordsOf({ status, code }: LinkEnd, hint: string | undefined): string {
  const what = status === undefined ? `closed with ${code}` : `refused with status ${status}`;
  return hint === undefined ? what : `${what}: ${hint}`;
}
