import { type Answer, jsonOf, type RequestOptions, sendRequest } from './send-request.ts';
import { type Role, tokenOf } from './accounts.ts';
import type { FuzzServer } from './start-server.ts';

/** Credentials of a worker. */
export interface Lease {
  readonly token: string;
  readonly epoch: number;
}

/** A session on a server. */
export interface FuzzSession {
  readonly id: string;
  readonly server: FuzzServer;
  /** The number of its accounts. Each session has separate accounts, because limits count per account. */
  readonly number: number;
  /** The path of the session. */
  readonly path: string;
  readonly sockets: { readonly viewer: string; readonly worker: string };
  token(role: Role): string;
  /** Sends a request to a path below the path of the session, or to an absolute path. */
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** Claims the lease of the worker. */
  claimLease(): Promise<Lease>;
}

let sessions = 0;

/** Creates a session. */
export async function newSession(server: FuzzServer): Promise<FuzzSession> {
  const number = sessions++;
  const token = (role: Role) => tokenOf(role, number);
  const root = `${server.url}/v1/code/sessions`;
  const made = await patiently(() => sendRequest(root, { token: token('driver'), body: '{"title":"fuzzed"}' }));
  const { id } = Object(jsonOf(made)['session']) as { id?: string };
  if (id === undefined) throw new Error(`no session: ${made.status} ${made.text}`);
  const path = `/v1/code/sessions/${id}`;
  const request = (rest: string, options: RequestOptions = {}) =>
    sendRequest(`${server.url}${rest.startsWith('/v1/') ? rest : path + rest}`, options);
  const ws = server.url.replace('http', 'ws');
  return {
    id,
    server,
    number,
    path,
    sockets: { viewer: `${ws}/v1/sessions/ws/${id}/subscribe`, worker: `${ws}/v1/session_ingress/ws/${id}` },
    token,
    request,
    async claimLease() {
      const given = await patiently(() => request('/bridge', { token: token('driver'), body: '{}' }));
      const { worker_jwt, worker_epoch } = jsonOf(given) as { worker_jwt?: string; worker_epoch?: number };
      if (worker_jwt === undefined || worker_epoch === undefined) throw new Error(`no lease: ${given.text}`);
      return { token: worker_jwt, epoch: worker_epoch };
    },
  };
}

/** Repeats a request that was refused temporarily: a rate limit is not a missing right. */
export async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if (answer.status !== 429 || tries >= 10) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(5, Number(answer.headers['retry-after'] ?? 1))));
  }
}
