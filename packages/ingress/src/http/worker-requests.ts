import type { CutBody, CutBodyOptions } from '../json/cut-body.ts';
import type { JsonObject } from '../json/values.ts';
import type { Session } from '../session/session.ts';
import type { Conflict } from '../session/worker-lease.ts';
import { sessionOf, workerOf } from './authenticate.ts';
import type { IngressContext } from './ingress-context.ts';
import { epochOf } from './parameters.ts';
import { readBody } from './read-body.ts';
import { Refusal } from './refusal.ts';

/** Which worker asks, and in which session. */
export interface WorkerRequest {
  readonly session: Session;
  /** The id of the lease that its token proves. */
  readonly token: string;
}

/** The request of a worker that holds the lease, with its body. */
export interface ReceivedRequest extends WorkerRequest {
  readonly body: CutBody;
  readonly epoch: number;
}

/** Finds out whose request one is, and takes it in. */
export class WorkerRequests {
  readonly #context: IngressContext;

  constructor(context: IngressContext) {
    this.#context = context;
  }

  /** Whose request it is. Whether that worker holds the lease is not known yet. */
  async authenticate(request: Request, id: string): Promise<WorkerRequest> {
    const { id: token } = await workerOf(this.#context, request, id);
    return { token, session: await sessionOf(this.#context, id) };
  }

  /**
   * The same of the worker that holds the lease.
   * @throws {Refusal} with status 409 for any other worker.
   */
  async withLease(request: Request, id: string): Promise<WorkerRequest> {
    const found = await this.authenticate(request, id);
    refuseConflict(found.session.conflict(found.token));
    return found;
  }

  /** The body of a request of the worker that holds the lease. Nothing is read of any other worker. */
  async readBody(
    request: Request,
    { session }: WorkerRequest,
    mostBytes: number,
    list?: CutBodyOptions,
  ): Promise<CutBody> {
    const maxBytes = Math.min(mostBytes, this.#context.maxBodyBytes);
    return readBody(request, { maxBytes, take: this.#context.rates.ofWorker(session.record.id) }, list);
  }

  /** Takes in a request that names the epoch of its worker, as all requests with a body of published workers do. */
  async receive(request: Request, id: string, mostBytes = Infinity, list?: CutBodyOptions): Promise<ReceivedRequest> {
    const found = await this.withLease(request, id);
    const body = await this.readBody(request, found, mostBytes, list);
    return { ...found, body, epoch: neededEpochOf(body.members) };
  }
}

/**
 * The epoch that a worker claims. Without one, an earlier process with the same token could not be told from the present one.
 * @throws {Refusal} with status 400 where it is missing or no number.
 */
export function neededEpochOf(members: JsonObject): number {
  const epoch = epochOf(members);
  if (epoch === undefined) throw new Refusal(400, 'invalid_request_error', 'worker_epoch is missing');
  return epoch;
}

/** @throws {Refusal} with status 409 where there is a conflict. */
export function refuseConflict(reason: Conflict | undefined): void {
  if (reason !== undefined) throw conflict(reason);
}

/** What a worker without the lease is answered. */
export function conflict(reason: Conflict): Refusal {
  const headers = { 'x-ccr-conflict-reason': reason };
  return new Refusal(409, 'conflict_error', 'the worker has lost its lease', { details: { reason }, headers });
}
