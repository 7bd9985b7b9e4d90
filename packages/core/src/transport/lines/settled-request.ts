/** A request of the worker that is over: a client has answered it, or the worker has cancelled it. */
export interface SettledRequest {
  readonly requestId: string;
  readonly isAnswered: boolean;
}

/**
 * Reads a notice of a server: the request of the worker that the notice says is over; undefined for any other notice. Each side chooses its request ids
 * alone, so a request of a client may have the same id, and some servers send `control_resolved` about requests of clients too. Clients answer requests
 * of the worker and cancel their own, so `outcome` and `by` (`worker`, or the name of an account) say whose request it was.
 */
export function settledRequestOf(event: string, data: unknown): SettledRequest | undefined {
  if (event !== 'control_resolved') return undefined;
  const { request_id: requestId, by, outcome } = Object(data) as Readonly<Record<string, unknown>>;
  const isAnswered = outcome === 'answered';
  if (typeof requestId !== 'string' || isAnswered === (by === 'worker')) return undefined;
  return { requestId, isAnswered };
}
