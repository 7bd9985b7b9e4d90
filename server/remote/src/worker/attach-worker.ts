import type { AttemptReason, Credential } from '@proto/core/reconnect';
import { type Transport, TransportError } from '@proto/core/transport';
import { createSseWorkerTransport, workerConflictOf } from '@proto/transport-sse';

/** The session, and the account that attaches its worker. */
export interface AttachWorkerOptions {
  /** The address of the session: `http://HOST/v1/code/sessions/ID`. */
  readonly url: string;
  /** The token of an account that may attach workers. */
  readonly token: string;
  /** Sends a request. Default: the platform's `fetch`. If an ingress runs in this process, pass its `fetch`. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/**
 * Claims the lease of a session's worker, and returns the transport of that worker. While the server cannot be reached, the transport tries again.
 * The token is renewed with the same epoch. The lease is claimed again only if the server does not support renewal.
 *
 * @example
 * ```ts
 * import { type AgentOptions, runAgent } from '@proto/agent';
 * import { attachWorker } from '@proto/remote/worker';
 *
 * declare const agent: AgentOptions;
 * const url = 'https://agents.example/v1/code/sessions/cse_1';
 * await runAgent(attachWorker({ url, token: 'the-token-of-alice' }), agent);
 * ```
 */
export function attachWorker(options: AttachWorkerOptions): Transport {
  const { url, fetch: send = (request) => fetch(request) } = options;
  const credentials = new WorkerCredentials({ ...options, fetch: send });
  return createSseWorkerTransport({
    url,
    credential: (reason) => credentials.get(reason),
    // The worker may start before its server has started, or while the server restarts.
    retryFirstConnect: true,
    fetch: async (address, request) => send(new Request(address, request)),
  });
}

/** The statuses with which a server answers if it does not have the renewal endpoint or does not recognise the token. */
const CANNOT_RENEW: readonly number[] = [400, 404, 405];

class WorkerCredentials {
  readonly #options: Required<AttachWorkerOptions>;
  #present: Required<Credential> | undefined;

  constructor(options: Required<AttachWorkerOptions>) {
    this.#options = options;
  }

  async get(reason: AttemptReason): Promise<Credential> {
    // A new link alone does not require a new token.
    if (this.#present !== undefined && (reason === 'first' || reason === 'lost')) return this.#present;
    this.#present = (await this.#renewed()) ?? (await credentialIn(await this.#post('/bridge', {})));
    return this.#present;
  }

  /** Returns a token for the lease that this worker has; undefined if it has no lease yet or the server cannot renew the token. */
  async #renewed(): Promise<Required<Credential> | undefined> {
    if (this.#present === undefined) return undefined;
    const { token, epoch } = this.#present;
    const response = await this.#post('/bridge/renew', { worker_jwt: token, worker_epoch: epoch });
    return CANNOT_RENEW.includes(response.status) ? undefined : credentialIn(response);
  }

  async #post(path: string, body: object): Promise<Response> {
    const { url, token, fetch: send } = this.#options;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return send(new Request(url + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }
}

async function credentialIn(response: Response): Promise<Required<Credential>> {
  if (response.status !== 200) throw refusal(response);
  const { worker_jwt, expires_in, worker_epoch } = (await response.json()) as Readonly<Record<string, unknown>>;
  return {
    token: String(worker_jwt),
    expiresAt: Date.now() + Number(expires_in) * 1000,
    epoch: Number(worker_epoch),
  };
}

/**
 * Creates the error for a refused request for credentials. If the account may not attach workers or the session does not exist, the error is
 * permanent, because another attempt cannot succeed. A superseded worker gets the same error as for any other request.
 */
function refusal({ status, headers }: Response): TransportError {
  if (status === 409) return workerConflictOf(headers);
  const isFinal = status === 401 || status === 403 || status === 404;
  const text = `cannot get credentials for a worker: the server answered with status ${status}`;
  return new TransportError(isFinal ? 'rejected' : 'connect-failed', text, { status });
}
