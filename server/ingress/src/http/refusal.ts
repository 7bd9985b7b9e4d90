import { NotOwner } from '../forwarding/not-owner.ts';
import { EventLogError } from '../log/event-log.ts';

const MOVING = 'session_moving';

interface RefusalOptions {
  /** Further members of `error`, such as the `resource` that clients show as the reason. */
  readonly details?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends a request with a status and `{ type: 'error', error: { type, message, … } }`. Any code that a route calls may throw a `Refusal`. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly #options: RefusalOptions;

  constructor(status: number, type: string, message: string, options: RefusalOptions = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.#options = options;
  }

  body() {
    return { type: 'error', error: { type: this.type, message: this.message, ...this.#options.details } };
  }

  response(): Response {
    const { headers } = this.#options;
    return Response.json(this.body(), { status: this.status, ...(headers && { headers }) });
  }
}

/** The refusal of a request that may succeed later: status 503, with `Retry-After: 5`. */
export function unavailable(type: string, message: string): Refusal {
  return new Refusal(503, type, message, { headers: { 'retry-after': '5' } });
}

/** Returns the response for any thrown value. `onError` is called for errors of the server. */
export function answerToError(error: unknown, onError: (error: unknown) => void): Response {
  const refusal = refusalOf(error);
  if (!(error instanceof Refusal || refusal.type === MOVING)) onError(error);
  return refusal.response();
}

/** Converts any thrown value to a refusal. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof NotOwner || isFenced(error)) return moving();
  if (!EventLogError.is(error)) return new Refusal(500, 'api_error', 'internal error');
  return unavailable(error.code === 'full' ? 'storage_full' : 'storage_failed', 'nothing was stored');
}

/** The refusal of a request while its session moves to another node. Clients try again soon. */
export function moving(): Refusal {
  return new Refusal(503, MOVING, 'the session is moving to another node; try again', {
    headers: { 'retry-after': '1' },
  });
}

/** Whether a write was refused because another node owns the session or may own it. This is not a server error. */
export function isFenced(error: unknown): boolean {
  return EventLogError.is(error) && error.code === 'fenced';
}

export function draining(): Refusal {
  return unavailable('draining', 'the server is shutting down');
}

/** The refusal of a request whose `Connection` header would remove a header that was checked. */
export function oddConnection(): Refusal {
  return new Refusal(
    400,
    'invalid_request_error',
    'the header `Connection` must not name a header that the server checks',
  );
}
