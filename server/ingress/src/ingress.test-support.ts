import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { createAccounts } from './auth/accounts.ts';
import type { IngressOptions } from './ingress-options.ts';
import { createIngress, type Ingress } from './ingress.ts';
import type { JsonObject } from './json/values.ts';
import { createMemoryEventLog } from './log/memory-event-log.ts';
import { checkAnswer } from './openapi/answers.test-support.ts';

export const TOKENS = {
  driver: 'driver-token-0123456789',
  approver: 'approver-token-0123456789',
  viewer: 'viewer-token-0123456789',
};

export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: JsonObject;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/** Drains an ingress after the test that creates it, or after the file if no test does: its regular work would go on in the tests of other files. */
export function drainedAfterTest<T extends Pick<Ingress, 'drain'>>(ingress: T): T {
  const after = TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished;
  after(() => ingress.drain());
  return ingress;
}

/** Creates an ingress in this process, with functions for its clients. It is drained after the test. */
export async function startIngress(options: Partial<IngressOptions> = {}) {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const accounts = await createAccounts([
    ...roles.map((role) => ({ name: role, role, token: TOKENS[role] })),
    { name: 'elsewhere', role: 'driver', token: 'elsewhere-token-0123456789', sessions: ['cse_other'] },
  ]);
  const log = options.log ?? createMemoryEventLog();
  const ingress = drainedAfterTest(createIngress({ accounts, log, ...options }));

  const request = (
    path: string,
    init: RequestInit & { readonly token?: string | undefined; readonly json?: unknown },
  ) => {
    const { token, json, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return ingress.fetch(
      new Request(`http://127.0.0.1${path}`, {
        ...rest,
        headers,
        ...(json !== undefined && { body: JSON.stringify(json), method: rest.method ?? 'POST' }),
      }),
    );
  };
  const call = async (path: string, init: Parameters<typeof request>[1] = {}): Promise<Answer> => {
    const response = await request(path, { method: 'POST', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    if (isJson) checkAnswer(init.method ?? 'POST', path, response.status, JSON.parse(text));
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };

  /** Creates a session, and functions for its clients. */
  const newSession = async () => {
    const { body } = await call('/v1/code/sessions', { token: TOKENS.driver, json: { title: 'a title' } });
    return sessionOf((body['session'] as { id: string }).id);
  };
  const sessionOf = (id: string) => {
    const base = `/v1/code/sessions/${id}`;
    return {
      id,
      base,
      send: (payloads: readonly JsonObject[], token: string = TOKENS.driver) =>
        call(`${base}/events`, { token, json: { session_id: id, events: payloads.map((payload) => ({ payload })) } }),
      view: (cursor: number | string = 0, token: string = TOKENS.viewer) =>
        openStream(`${base}/events/stream`, token, cursor),
      /** Claims the lease of the worker. */
      async claimLease() {
        const { body } = await call(`${base}/bridge`, { token: TOKENS.driver, json: {} });
        const { worker_jwt: token, worker_epoch: epoch } = body as { worker_jwt: string; worker_epoch: number };
        const worker = (path: string, json: JsonObject, method = 'POST') =>
          call(`${base}/worker${path}`, { token, method, json: { worker_epoch: epoch, ...json } });
        return {
          token,
          epoch,
          worker,
          get: (path: string) => call(`${base}/worker${path}`, { token, method: 'GET' }),
          write: (entries: readonly JsonObject[]) => worker('/events', { events: entries }),
          say: (...payloads: readonly JsonObject[]) =>
            worker('/events', { events: payloads.map((payload) => ({ payload })) }),
          mark: (...updates: readonly JsonObject[]) => worker('/events/delivery', { updates }),
          follow: (cursor = 0) => openStream(`${base}/worker/events/stream`, token, cursor),
        };
      },
    };
  };
  const openStream = async (path: string, token: string, cursor: number | string) => {
    const headers: Record<string, string> = cursor !== 0 ? { 'last-event-id': String(cursor) } : {};
    return readFrames(await request(path, { method: 'GET', token, headers }));
  };
  return { ingress, log, request, call, newSession, sessionOf };
}

/** Reads an event stream by the rules of the specification that the server uses. */
export function readFrames(response: Response) {
  if (response.status !== 200 || response.body === null) throw new Error(`no event stream: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const frames: Frame[] = [];
  let raw = '';
  let wake = () => {};
  let ended = false;
  const reading = (async () => {
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      raw += value;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop() ?? '';
      frames.push(...parts.map(parseFrame));
      wake();
    }
    ended = true;
    wake();
  })();
  const until = async (check: () => unknown) => {
    while (!check() && !ended) await new Promise<void>((resolve) => (wake = resolve));
    if (!check()) throw new Error(`the stream ended before the expected event: ${raw}`);
  };
  return {
    response,
    frames,
    get raw() {
      return raw;
    },
    until,
    ended: reading,
    of: (event: string) => frames.filter((frame) => frame.event === event),
    /** The messages of exactly the given number of events. */
    async take(count: number): Promise<readonly JsonObject[]> {
      const events = () => frames.filter(({ event }) => event === 'client_event');
      await until(() => events().length >= count);
      return events().map(({ data }) => data?.['payload'] as JsonObject);
    },
    close: () => reader.cancel(),
  };
}

function parseFrame(text: string): Frame {
  const fields = text.split('\n').filter((line) => !line.startsWith(':'));
  const of = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [id, event, data] = [of('id'), of('event'), of('data')];
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data: JSON.parse(data) }),
  };
}

export function user(content: string, members: JsonObject = {}): JsonObject {
  return { type: 'user', message: { role: 'user', content }, uuid: `uuid-${content}`, ...members };
}

export function assistant(text: string, members: JsonObject = {}): JsonObject {
  return {
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    uuid: `uuid-${text}`,
    ...members,
  };
}

export function permission(requestId: string): JsonObject {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' };
  return { type: 'control_request', request_id: requestId, request, uuid: `asks-${requestId}` };
}

export function answer(requestId: string, behavior: string, uuid = `answers-${requestId}-${behavior}`): JsonObject {
  return {
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response: { behavior } },
    uuid,
  };
}

/** Starts an ingress with one session, whose agent has asked for the permission `p`. */
export async function startAsked(options: Partial<IngressOptions> = {}) {
  const started = await startIngress(options);
  const session = await started.newSession();
  const worker = await session.claimLease();
  await worker.say(permission('p'));
  return { ...started, session, ...worker };
}
