import type { Clock } from '@proto/core/reconnect';
import { freePort } from '@proto/test-support/free-port';
import { onTestFinished } from 'vitest';
import { type Accounts, createAccounts } from '../auth/accounts.ts';
import { readFrames, TOKENS } from '../ingress.test-support.ts';
import type { JsonObject } from '../json/values.ts';
import type { EventLog } from '../log/event-log.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { type IngressServer, listen, type ListenOptions } from '../node/listen.ts';
import { follow, type OpenOptions } from '../socket/socket.test-support.ts';

/** The lifetime of claims in these tests: no time passes by itself. */
export const TTL_MS = 10_000;

/** A clock that a test moves on. While it is stopped it stands still, and its timers wait, as those of a stopped process. */
export class ManualClock implements Clock {
  isStopped = false;
  #now = 1_000_000;
  /** What has passed while it stood still. */
  #missed = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as { at: number; run: () => void });
  }

  /** Sets the clock, without any timer. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass. The timers of a stopped clock run after it was started again. */
  pass(ms: number): void {
    this.#missed += ms;
    if (this.isStopped) return;
    this.#now += this.#missed;
    this.#missed = 0;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}

/** How one node of a test differs from the others. */
export interface NodeOptions extends Partial<ListenOptions> {
  /** Changes what the node does to the store. */
  readonly over?: (log: EventLog) => EventLog;
  /** The address under which the other nodes reach it. Default: its own. */
  readonly clusterUrl?: string;
}

/** Starts servers on one store, over real sockets, with clocks that the test moves on. */
export async function startNodes(count: number, optionsOf: (index: number) => NodeOptions = () => ({})) {
  const storeClock = new ManualClock();
  const store = createMemoryEventLog({ now: () => storeClock.now() });
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, index) => startNode(store.another(), optionsOf(index))),
  );
  return {
    store,
    nodes,
    /** Lets time pass for the store and all nodes, in steps in which renewals arrive. */
    async pass(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += TTL_MS / 20) {
        storeClock.pass(TTL_MS / 20);
        for (const { clock } of nodes) clock.pass(TTL_MS / 20);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

type RequestOptions = RequestInit & { readonly token?: string | null };

/** A server of `startNodes`, and functions for its clients. */
export interface TestNode {
  readonly url: string;
  readonly server: IngressServer;
  readonly clock: ManualClock;
  /** What the server has reported as its own errors. */
  readonly errors: readonly unknown[];
  call(path: string, json?: unknown, init?: RequestOptions): Promise<Answered>;
  /** Reads an event stream; rejects if it is refused. */
  stream(path: string, token: string | null, cursor?: number): Promise<ReturnType<typeof readFrames>>;
  newSession(): Promise<string>;
  post(id: string, payloads: readonly JsonObject[], token?: string): Promise<Answered>;
  view(
    id: string,
    options?: { readonly token?: string; readonly cursor?: number },
  ): Promise<ReturnType<typeof readFrames>>;
  viewSocket(id: string, open?: OpenOptions): ReturnType<typeof follow>;
  workSocket(id: string, open: OpenOptions): ReturnType<typeof follow>;
  /** Claims the lease of the worker. The worker may act on any node. */
  claimLease(id: string): Promise<ReturnType<typeof leaseOf>>;
}

async function startNode(
  log: EventLog,
  { over = (same) => same, clusterUrl, ...options }: NodeOptions,
): Promise<TestNode> {
  const clock = new ManualClock();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const errors: unknown[] = [];
  const server = await listen({
    log: over(log),
    accounts: await testAccounts(),
    port,
    clock,
    cluster: { url: clusterUrl ?? url, ttlMs: TTL_MS, monotonic: () => clock.now() },
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => server.close());
  const request = (path: string, { token = TOKENS.driver, ...init }: RequestOptions = {}) => {
    const headers = new Headers(init.headers);
    if (token !== null) headers.set('authorization', `Bearer ${token}`);
    return fetch(`${url}${path}`, { ...init, headers });
  };
  const call: TestNode['call'] = async (path, json, init = {}) => {
    const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
    const response = await request(path, { ...body, ...init });
    const text = await response.text();
    const answer = text === '' ? {} : (JSON.parse(text) as JsonObject);
    return { status: response.status, headers: response.headers, body: answer };
  };
  const stream: TestNode['stream'] = async (path, token, cursor = 0) => {
    const headers: Record<string, string> = cursor > 0 ? { 'last-event-id': String(cursor) } : {};
    const opened = readFrames(await request(path, { token, headers }));
    opened.ended.catch(() => {});
    onTestFinished(() => opened.close().catch(() => {}));
    return opened;
  };
  const socket = (path: string, open: OpenOptions) => {
    const opened = follow(`${url.replace('http', 'ws')}${path}`, open);
    onTestFinished(() => opened.socket.terminate());
    return opened;
  };
  return {
    url,
    server,
    clock,
    errors,
    call,
    stream,
    async newSession() {
      const { body } = await call('/v1/code/sessions', {});
      return (body['session'] as { id: string }).id;
    },
    post: (id, payloads, token = TOKENS.driver) =>
      call(`${base(id)}/events`, { events: payloads.map((payload) => ({ payload })) }, { token }),
    view: (id, { token = TOKENS.viewer, cursor = 0 } = {}) => stream(`${base(id)}/events/stream`, token, cursor),
    viewSocket: (id, open = {}) => socket(`/v1/sessions/ws/${id}/subscribe${open.query ?? ''}`, open),
    workSocket: (id, open) => socket(`/v1/session_ingress/ws/${id}`, open),
    async claimLease(id) {
      const { body } = await call(`${base(id)}/bridge`, {});
      const { worker_jwt: token, worker_epoch: epoch } = body as { worker_jwt: string; worker_epoch: number };
      return leaseOf(id, token, epoch);
    },
  };
}

/** What a worker does, on any node. */
function leaseOf(id: string, token: string, epoch: number) {
  type Node = Pick<TestNode, 'call' | 'stream'>;
  return {
    token,
    epoch,
    say: (on: Node, ...payloads: readonly JsonObject[]) => {
      const events = payloads.map((payload) => ({ payload }));
      return on.call(`${base(id)}/worker/events`, { worker_epoch: epoch, events }, { token });
    },
    mark: (on: Node, ...updates: readonly JsonObject[]) =>
      on.call(`${base(id)}/worker/events/delivery`, { worker_epoch: epoch, updates }, { token }),
    follow: (on: Node, cursor = 0) => on.stream(`${base(id)}/worker/events/stream`, token, cursor),
  };
}

export function base(id: string): string {
  return `/v1/code/sessions/${id}`;
}

export function testAccounts(): Promise<Accounts> {
  const roles = ['driver', 'approver', 'viewer'] as const;
  return createAccounts(roles.map((role) => ({ name: role, role, token: TOKENS[role] })));
}

/** The ids of all stored events of a session, in order. */
export async function idsIn(log: EventLog, id: string): Promise<readonly string[]> {
  return (await log.read(id, 0)).events.map((event) => event.id);
}
