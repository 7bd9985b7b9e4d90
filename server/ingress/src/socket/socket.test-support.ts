import type { IncomingHttpHeaders } from 'node:http';
import { WebSocket } from 'ws';
import { createAccounts } from '../auth/accounts.ts';
import { TOKENS } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { listen, type ListenOptions } from '../node/listen.ts';

export interface OpenOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for `sjp.v1`. */
  readonly resumable?: boolean;
  readonly query?: string;
}

/** A client: a plain WebSocket, and the frames that it received. */
export function follow(url: string, { token, headers = {}, resumable = false }: OpenOptions = {}) {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, resumable ? ['sjp.v1'] : [], { headers: { ...headers, ...authorization } });
  const frames: string[] = [];
  let wake = () => {};
  let code: number | undefined;
  let status: number | undefined;
  let answered: IncomingHttpHeaders = {};
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString());
    wake();
  });
  socket.on('error', () => {});
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode;
    answered = response.headers;
    socket.terminate();
  });
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()));
  const closed = new Promise<number>((resolve) => {
    socket.once('close', (given) => {
      code = given;
      resolve(given);
      wake();
    });
  });
  const lines = () => frames.map((frame) => JSON.parse(frame) as JsonObject);
  const until = async (check: () => unknown) => {
    while (!check()) {
      if (code !== undefined) throw new Error(`closed with ${code} before the expected frame: ${frames.join('')}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    socket,
    frames,
    opened,
    closed,
    lines,
    until,
    get status() {
      return status;
    },
    get headers() {
      return answered;
    },
    /** Waits for a number of lines that match, and returns all matching lines. */
    async take(count: number, wanted: (line: JsonObject) => boolean = () => true): Promise<readonly JsonObject[]> {
      await until(() => lines().filter(wanted).length >= count);
      return lines().filter(wanted);
    },
    say: (...messages: readonly object[]) =>
      socket.send(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    raw: (text: string) => socket.send(text),
    async close() {
      socket.close(1000);
      await closed;
    },
  };
}

/** Starts a server over real sockets, with an account for every role. */
export async function startServer(options: Partial<ListenOptions> = {}) {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const accounts = await createAccounts(roles.map((role) => ({ name: role, role, token: TOKENS[role] })));
  const log = options.log ?? createMemoryEventLog();
  const server = await listen({ accounts, log, ...options });
  const call = async (path: string, json: object = {}, token: string = TOKENS.driver): Promise<JsonObject> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(json) });
    return { status: response.status, ...((await response.json()) as JsonObject) };
  };
  const events = async (id: string): Promise<readonly JsonObject[]> => {
    const headers = { authorization: `Bearer ${TOKENS.viewer}` };
    const response = await fetch(`${server.url}/v1/code/sessions/${id}/events`, { headers });
    return ((await response.json()) as { data: JsonObject[] }).data;
  };
  const sockets = server.url.replace('http', 'ws');
  return {
    server,
    log,
    call,
    sockets,
    /** Creates a session, and functions for its clients. */
    async newSession() {
      const { session } = (await call('/v1/code/sessions')) as { session: { id: string } };
      const { id } = session;
      const base = `/v1/code/sessions/${id}`;
      const address = `${sockets}/v1/sessions/ws/${id}/subscribe`;
      return {
        id,
        base,
        address,
        events: () => events(id),
        payloads: async () => (await events(id)).map(({ payload }) => payload as JsonObject),
        send: (...payloads: readonly JsonObject[]) =>
          call(`${base}/events`, { events: payloads.map((payload) => ({ payload })) }),
        view: ({ token = TOKENS.driver, ...options }: OpenOptions = {}) =>
          follow(`${address}${options.query ?? ''}`, { token, ...options }),
        archive: () => call(`${base}/archive`),
        async claimLease() {
          const { worker_jwt: token } = (await call(`${base}/bridge`)) as { worker_jwt: string };
          return {
            token,
            work: (options: OpenOptions = {}) =>
              follow(`${sockets}/v1/session_ingress/ws/${id}`, { token, ...options }),
            post: (...messages: readonly unknown[]) =>
              call(`/v1/session_ingress/session/${id}/events`, { events: messages }, token),
          };
        },
      };
    },
  };
}
