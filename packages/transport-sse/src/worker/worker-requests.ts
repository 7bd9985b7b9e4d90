import { TransportError } from '@proto/core/transport';
import type { HttpResponse } from '../http.ts';
import { type Recipient, RequestFailed, type RequestOptions, type Requests } from '../requests.ts';
import { conflictOf } from './conflict.ts';
import type { Seat } from './seat.ts';

// So many in a row, over all requests, prove that it will not pass.
const MAX_MISSING = 3;
const MAX_FORBIDDEN = 10;

/** The requests of a worker, each under the number of its attachment. */
export class WorkerRequests {
  readonly #requests: Requests;
  readonly #seat: Pick<Seat, 'epochFor'>;
  #missing = 0;
  #forbidden = 0;

  constructor(requests: Requests, seat: Pick<Seat, 'epochFor'>) {
    this.#requests = requests;
    this.#seat = seat;
  }

  /** Like that of `Requests`, and registers first where that has not been done. */
  async open(request: RequestOptions, signal: AbortSignal): Promise<HttpResponse> {
    let token: string | undefined;
    try {
      // Also where there is no body: nobody without a seat is answered.
      const body = async (to: Recipient) => {
        token = to.credential?.token;
        const epoch = await this.#seat.epochFor(to);
        return request.body?.({ ...to, epoch });
      };
      const response = await this.#requests.open({ ...request, body }, signal);
      this.#missing = this.#forbidden = 0;
      return response;
    } catch (failure) {
      throw failure instanceof RequestFailed ? await this.#judge(failure, request, token) : failure;
    }
  }

  finish(response: HttpResponse, signal: AbortSignal): Promise<readonly Uint8Array[]> {
    return this.#requests.finish(response, signal);
  }

  /** What a failure comes to, where it was made with that token. */
  async #judge(
    failure: RequestFailed,
    { reason }: Pick<RequestOptions, 'reason'>,
    token: string | undefined,
  ): Promise<RequestFailed> {
    const { action, error, response } = failure;
    const { status, message } = error;
    if (response !== undefined && status === 409) {
      // It was this side itself that took over, by a credential which is good for more than the one before.
      const isOwn = token !== undefined && (await this.#requests.credential.isOutdated(token));
      return isOwn ? new RequestFailed(error, 'retry') : new RequestFailed(conflictOf(response.headers), 'permanent');
    }
    // A credential that is refused for the first time is renewed at once.
    const passes = action === 'retry' || (action === 'refresh' && reason === 'refused');
    if (!passes || status === undefined) return failure;
    this.#missing = status === 404 ? this.#missing + 1 : 0;
    this.#forbidden = status === 401 || status === 403 ? this.#forbidden + 1 : 0;
    if (this.#missing < MAX_MISSING && this.#forbidden < MAX_FORBIDDEN) return failure;
    return new RequestFailed(new TransportError('rejected', message, { status }), 'permanent');
  }
}
