import type { BridgeSessionHandle } from '@anthropic-ai/claude-agent-sdk/bridge';
import { createAccounts, createMemoryEventLog, type IngressServer, listen, type ListenOptions } from '@proto/ingress';
import type { EventLog } from '@proto/ingress/event-log';
import { onTestFinished } from 'vitest';
import { attachBridgeSession, createCodeSession, fetchRemoteCredentials, query } from './published-clients.ts';
import { until } from './until.ts';

/** The token of each account. */
export const TOKENS = {
  driver: 'driver-token-0123456789',
  approver: 'approver-token-0123456789',
  viewer: 'viewer-token-0123456789',
};

type BridgeOptions = Parameters<typeof attachBridgeSession>[0];
type QueryOptions = Parameters<typeof query>[0];
type Message = { readonly type: string; readonly uuid?: string; readonly [member: string]: unknown };

/** Starts an ingress with accounts of every role. */
export async function startIngress(
  log: EventLog = createMemoryEventLog(),
  port = 0,
  options: Partial<ListenOptions> = {},
): Promise<IngressServer> {
  const roles = ['driver', 'approver', 'viewer'] as const;
  const accounts = await createAccounts(roles.map((role) => ({ name: role, role, token: TOKENS[role] })));
  return listen({ log, accounts, port, ...options });
}

/** Creates a session with the published client. */
export async function newSession(url: string): Promise<string> {
  const id = await createCodeSession(url, TOKENS.driver, 'a title', 5000, ['tag'], undefined, '/project', 'model');
  if (typeof id !== 'string') throw new Error(`no session: ${JSON.stringify(id)}`);
  return id;
}

/** Gets the credentials of a worker with the published client. */
export async function credentials(url: string, session: string) {
  const given = await fetchRemoteCredentials(session, url, TOKENS.driver, 5000);
  if (given === null || !('worker_jwt' in given)) throw new Error(`no credentials: ${JSON.stringify(given)}`);
  return given;
}

/** Connects the published bridge as the worker of a session for the time of a test, and records what it receives. */
export async function attachWorker(url: string, session: string, options: Partial<BridgeOptions> = {}) {
  const { worker_jwt, worker_epoch } = await credentials(url, session);
  const inbound: Message[] = [];
  const responses: unknown[] = [];
  const closed: unknown[] = [];
  const handle: BridgeSessionHandle = await attachBridgeSession({
    sessionId: session,
    ingressToken: worker_jwt,
    apiBaseUrl: url,
    epoch: worker_epoch,
    onInboundMessage: (message) => void inbound.push(message),
    onPermissionResponse: (response) => void responses.push(response),
    onClose: (code) => void closed.push(code),
    ...options,
  });
  onTestFinished(() => handle.close());
  await until(() => handle.isConnected());
  return { handle, inbound, responses, closed };
}

/** Connects the published browser SDK as a viewer of a session for the time of a test, over an event stream and POST. */
export function openViewer(url: string, session: string, options: Partial<QueryOptions> = {}, sse: object = {}) {
  const base = `${url}/v1/code/sessions/${session}/events`;
  const updates: { readonly event_id: string; readonly status: string }[] = [];
  const viewer = openQuery({
    sse: {
      sessionId: session,
      streamUrl: `${base}/stream`,
      sendUrl: base,
      headers: { authorization: `Bearer ${TOKENS.driver}`, 'anthropic-client-platform': 'web_claude_ai' },
      onDeliveryUpdate: (update: (typeof updates)[number]) => void updates.push(update),
      ...sse,
    },
    ...options,
  });
  return { ...viewer, updates };
}

/** Connects the published browser SDK over a WebSocket, with its token in the first frame, as pages must send it. */
export function openSocketViewer(
  url: string,
  session: string,
  options: Partial<QueryOptions> = {},
  token: string = TOKENS.driver,
) {
  return openQuery({
    websocket: {
      url: `${url.replace('http', 'ws')}/v1/sessions/ws/${session}/subscribe`,
      authMessage: { type: 'auth', credential: { type: 'oauth', token } },
    },
    ...options,
  });
}

function openQuery(options: object) {
  const waiting: unknown[] = [];
  let wake = () => {};
  let ended = false;
  const prompt = (async function* () {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift();
      if (ended) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  })();
  const abortController = new AbortController();
  const messages: Message[] = [];
  const running = query({ prompt, abortController, ...options } as unknown as QueryOptions);
  const finished = (async () => {
    for await (const message of running) messages.push(message);
  })().catch((error: unknown) => error);
  const close = async () => {
    ended = true;
    wake();
    abortController.abort();
    await finished;
  };
  onTestFinished(close);
  return {
    query: running,
    messages,
    finished,
    close,
    prompt(text: string, uuid: string = crypto.randomUUID()) {
      const message = { role: 'user', content: text };
      waiting.push({ type: 'user', message, parent_tool_use_id: null, session_id: '', uuid });
      wake();
      return uuid;
    },
  };
}
