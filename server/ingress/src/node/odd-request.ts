import type { IncomingMessage, ServerResponse } from 'node:http';
import { namesChecked } from '../forwarding/forwarded-headers.ts';
import { oddConnection, Refusal } from '../http/refusal.ts';
import { drainBody } from './incoming-body.ts';

const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** The parts of a request that determine where it ends and which of its headers count. */
export type RequestHead = Pick<IncomingMessage, 'method' | 'rawHeaders'>;

/**
 * Returns the refusal of a request that two programs could read differently: it has a body although its method defines none, or a `Connection` header
 * that removes a checked header. Returns undefined for any other request.
 */
export function oddityOf({ method = 'GET', rawHeaders }: RequestHead): Refusal | undefined {
  if (valuesOf(rawHeaders, 'connection').some(namesChecked)) return oddConnection();
  if (WITH_BODY.includes(method) || bodyLengthOf({ rawHeaders }) === 0) return undefined;
  return new Refusal(400, 'invalid_request_error', `a ${method} request must not have a body`);
}

/** The body length that the client has announced, in bytes; `Infinity` for a chunked body. Node's parser enforces this length. */
export function bodyLengthOf({ rawHeaders }: Pick<RequestHead, 'rawHeaders'>): number {
  if (valuesOf(rawHeaders, 'transfer-encoding').length > 0) return Number.POSITIVE_INFINITY;
  return Number(valuesOf(rawHeaders, 'content-length')[0] ?? 0);
}

function valuesOf(raw: readonly string[], name: string): readonly string[] {
  return raw.filter((_, at) => at % 2 === 1 && isNamed(raw[at - 1] as string, name));
}

function isNamed(written: string, name: string): boolean {
  return written.length === name.length && written.toLowerCase() === name;
}

/** Answers an odd request with status 400 and ends its connection. */
export function refuseOdd(incoming: IncomingMessage, outgoing: ServerResponse, refusal: Refusal): void {
  const body = JSON.stringify(refusal.body());
  const length = Buffer.byteLength(body);
  outgoing.writeHead(400, { 'content-type': 'application/json', 'content-length': length, connection: 'close' });
  outgoing.once('finish', () => drainBody(incoming));
  outgoing.end(body);
}
