import { type Transport, TransportError } from '@proto/core/transport';
import type { Ingress } from '@proto/ingress';
import { sessionUrl } from '../network/session-address.ts';
import { createSseWorkerTransport, type Credential, type CredentialReason } from '@proto/transport-sse';

// Within this process nobody listens there.
const HERE = 'http://127.0.0.1';

/** Takes the seat of a session's worker, on an ingress in this process or at an address: over its endpoints. */
export function attachWorker(
  ingress: Pick<Ingress, 'fetch'>,
  session: string,
  token: string,
  base: string = HERE,
): Transport {
  const url = sessionUrl(base, session);
  let present: Credential | undefined;
  async function credential(reason: CredentialReason): Promise<Credential> {
    // Each that is asked for takes the seat again: not for a link alone.
    if (present !== undefined && reason === 'connect') return present;
    const headers = { authorization: `Bearer ${token}` };
    const response = await ingress.fetch(new Request(`${url}/bridge`, { method: 'POST', headers, body: '{}' }));
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
    // It may be there ahead of its server, or while that starts again.
    firstAttempt: 'retry',
    fetch: (address, request) => ingress.fetch(new Request(address, request)),
  });
}

/** Who may not be the worker of a session, or of none that is there, is not helped by another attempt. */
function refusal(status: number): TransportError {
  const isFinal = status === 401 || status === 403 || status === 404;
  const text = `no credentials for a worker: the server answered with ${status}`;
  return new TransportError(isFinal ? 'rejected' : 'connect-failed', text, { status });
}
