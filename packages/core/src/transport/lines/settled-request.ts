/** A request of the worker that is settled: a client has answered it, or the worker has cancelled it. */
export interface SettledRequest {
  readonly requestId: string;
  readonly isAnswered: boolean;
}

/**
 * Reads a notice from a server. Returns the worker's request that the notice reports as settled, or `undefined` for any other notice. Each side
 * chooses its request ids independently, so a client's request may have the same id, and some servers also send `control_resolved` about requests of
 * clients. Clients answer the worker's requests and cancel their own requests, so `outcome` and `by` (`worker`, or the name of an account) show whose
 * request it was.
 */
export function settledRequestOf(event: string, data: unknown): SettledRequest | undefined {
  if (event !== 'control_resolved') return undefined;
  const { request_id: requestId, by, outcome } = Object(data) as Readonly<Record<string, unknown>>;
  const isAnswered = outcome === 'answered';
  if (typeof requestId !== 'string' || isAnswered === (by === 'worker')) return undefined;
  return { requestId, isAnswered };
}
