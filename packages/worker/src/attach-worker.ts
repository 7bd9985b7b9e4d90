import { type AttemptReason, type Credential, type Transport, TransportError } from '@proto/core/transport';
import { createSseWorkerTransport } from '@proto/transport-sse';

/** Of which session to be the worker, and as whom. */
export interface AttachWorkerOptions {
  /** `http://HOST/v1/code/sessions/ID` */
  readonly url: string;
  /** The token of an account that may attach workers. */
  readonly token: string;
  /** Sends a request. Default: that of the platform. Pass the `fetch` of an ingress that runs in this process. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** Claims the lease of a session's worker, and gives the transport of that worker. While the server cannot be reached, the transport tries again. */
export function attachWorker(options: AttachWorkerOptions): Transport {
  const { url, token, fetch: send = (request) => fetch(request) } = options;
  let present: Credential | undefined;
  async function credential(reason: AttemptReason): Promise<Credential> {
    // Each request for a credential claims the lease again, so a new link alone does not make one.
    if (present !== undefined && (reason === 'first' || reason === 'lost')) return present;
    const headers = { authorization: `Bearer ${token}` };
    const response = await send(new Request(`${url}/bridge`, { method: 'POST', headers, body: '{}' }));
    if (response.status !== 200) throw refusal(response.status);
    const { worker_jwt, expires_in, worker_epoch } = (await response.json()) as Readonly<Record<string, unknown>>;
    present = {
      token: String(worker_jwt),
      expiresAt: Date.now() + Number(expires_in) * 1000,
      epoch: Number(worker_epoch),
    };
    return present;
  }
  return createSseWorkerTransport({
    url,
    credential,
    // The worker may start before its server does, or while the server restarts.
    firstAttempt: 'retry',
    fetch: async (address, request) => send(new Request(address, request)),
  });
}

/** An account that may not attach workers stays refused, and a session that does not exist stays away: another attempt does not help. */
function refusal(status: number): TransportError {
  const isFinal = status === 401 || status === 403 || status === 404;
  const text = `no credentials for a worker: the server answered with ${status}`;
  return new TransportError(isFinal ? 'rejected' : 'connect-failed', text, { status });
}
