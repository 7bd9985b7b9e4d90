import { TransportError } from '@proto/core/transport';
import type { HttpResponse } from '../http.ts';
import { type Recipient, RequestFailed, type RequestOptions, type Requests } from '../requests.ts';
import { workerConflictOf } from '../session-errors.ts';
import type { WorkerLease } from './worker-lease.ts';

// This many consecutive answers with 404, or with 401 or 403, over all requests prove that the refusal is permanent.
const MAX_MISSING = 3;
const MAX_FORBIDDEN = 10;

export class WorkerRequests {
  readonly #requests: Requests;
  readonly #lease: Pick<WorkerLease, 'epochFor'>;
  #missing = 0;
  #forbidden = 0;

  constructor(requests: Requests, lease: Pick<WorkerLease, 'epochFor'>) {
    this.#requests = requests;
    this.#lease = lease;
  }

  /** A worker without an epoch registers first. */
  async open(request: RequestOptions, signal: AbortSignal): Promise<HttpResponse> {
    let token: string | undefined;
    try {
      // Requests without a body also need an epoch, because the server answers only workers that have registered.
      const body = async (to: Recipient) => {
        token = to.credential?.token;
        const epoch = await this.#lease.epochFor(to);
        return request.body?.({ ...to, epoch });
      };
      const response = await this.#requests.open({ ...request, body }, signal);
      this.#missing = this.#forbidden = 0;
      return response;
    } catch (failure) {
      throw failure instanceof RequestFailed ? await this.#classify(failure, request, token) : failure;
    }
  }

  finish(response: HttpResponse, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    return this.#requests.finish(response, signal);
  }

  /** Classifies a failure again, using the token of the request and the earlier failures. */
  async #classify(
    failure: RequestFailed,
    { reason }: Pick<RequestOptions, 'reason'>,
    token: string | undefined,
  ): Promise<RequestFailed> {
    const { action, error, response } = failure;
    const { status, message } = error;
    if (response !== undefined && status === 409) {
      // If the token is outdated, this worker itself took over the session, by registering with its newer credential.
      const isOwn = token !== undefined && (await this.#requests.credential.isOutdated(token));
      return isOwn
        ? new RequestFailed(error, 'retry')
        : new RequestFailed(workerConflictOf(response.headers), 'permanent');
    }
    // The first refusal of a credential does not count: the credential is renewed at once.
    const passes = action === 'retry' || (action === 'refresh' && reason === 'refused');
    if (!passes || status === undefined) return failure;
    this.#missing = status === 404 ? this.#missing + 1 : 0;
    this.#forbidden = status === 401 || status === 403 ? this.#forbidden + 1 : 0;
    if (this.#missing < MAX_MISSING && this.#forbidden < MAX_FORBIDDEN) return failure;
    return new RequestFailed(new TransportError('rejected', message, { status }), 'permanent');
  }
}
