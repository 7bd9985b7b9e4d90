import { andThen } from '../event-loop.ts';
import type { CutBody, CutBodyOptions } from '../json/cut-body.ts';
import type { JsonObject } from '../json/values.ts';
import type { Session } from '../session/session.ts';
import type { Conflict } from '../session/worker-lease.ts';
import { type HeaderRequest, sessionOf, workerOf } from './authenticate.ts';
import type { IngressContext } from './ingress-context.ts';
import { epochOf } from './parameters.ts';
import { type BodyRequest, readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

export interface WorkerRequest {
  readonly session: Session;
  /** The id of the lease for which the worker's token was issued. */
  readonly token: string;
}

/** The request of a worker that holds the lease, with its body. */
export interface ReceivedRequest extends WorkerRequest {
  readonly body: CutBody;
  readonly epoch: number;
}

/** Authenticates requests from workers and reads their bodies. */
export class WorkerRequests {
  readonly #context: IngressContext;

  constructor(context: IngressContext) {
    this.#context = context;
  }

  /** Returns the worker that sent a request. The worker may have lost its lease. */
  authenticate(request: HeaderRequest, id: string): WorkerRequest | Promise<WorkerRequest> {
    return andThen(workerOf(this.#context, request, id), ({ id: token }) =>
      andThen(sessionOf(this.#context, id), (session) => ({ token, session })),
    );
  }

  /**
   * Returns the worker that sent a request, and checks that the worker has the lease.
   * @throws {Refusal} with status 409 for a worker without the lease.
   */
  withLease(request: HeaderRequest, id: string): WorkerRequest | Promise<WorkerRequest> {
    return andThen(this.authenticate(request, id), (found) => {
      refuseConflict(found.session.conflict(found.token));
      return found;
    });
  }

  /** Reads the body of a request. Call `withLease` first: the body of a worker without the lease must not be read. */
  readBody(
    request: BodyRequest,
    { session }: WorkerRequest,
    mostBytes: number,
    list?: CutBodyOptions,
  ): Promise<CutBody> {
    const maxBytes = Math.min(mostBytes, this.#context.maxBodyBytes);
    return readBody(request, { maxBytes, take: this.#context.rates.ofWorker(session.record.id) }, list);
  }

  /** Authenticates a request and reads its body, which must contain the epoch, like every body that published workers send. */
  async receive(
    request: BodyRequest,
    id: string,
    mostBytes = Infinity,
    list?: CutBodyOptions,
  ): Promise<ReceivedRequest> {
    const found = await this.withLease(request, id);
    const body = await this.readBody(request, found, mostBytes, list);
    const { token, session } = found;
    return { token, session, body, epoch: neededEpochOf(body.members) };
  }
}

/**
 * Reads the epoch in a body. The epoch is required because an earlier process with the same token would otherwise be taken for the present process.
 * @throws {Refusal} with status 400 for a body without an epoch.
 */
export function neededEpochOf(members: JsonObject): number {
  const epoch = epochOf(members);
  if (epoch === undefined) throw new Refusal(400, 'invalid_request_error', 'worker_epoch is missing');
  return epoch;
}

/** Refuses a worker without the lease. @throws {Refusal} with status 409, if there is a conflict. */
export function refuseConflict(reason: Conflict | undefined): void {
  if (reason !== undefined) throw conflict(reason);
}

export function conflict(reason: Conflict): Refusal {
  const headers = { 'x-ccr-conflict-reason': reason };
  return new Refusal(409, 'conflict_error', 'the worker has lost its lease', { details: { reason }, headers });
}
