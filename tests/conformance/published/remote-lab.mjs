import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';

import { startRecordingProxy } from './recording-proxy.mjs';

// The browser SDK reads this global of its page when it is loaded; Node 20 lacks it.
Object.assign(globalThis, { WebSocket: createRequire(import.meta.url)('ws') });

export const TOKEN = 'driver-token-0123456789';
const WAIT_MS = 20_000;

/**
 * A session of our server, with a proxy for the published client, and plain requests for its other side.
 * @param {(lab: any) => Promise<void>} run
 */
export async function inRemoteLab(run) {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const log = createMemoryEventLog();
  const server = await listen({ log, accounts });
  const proxy = await startRecordingProxy(server.url);
  const ask = async (/** @type {string} */ path, /** @type {unknown} */ body, token = TOKEN) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  const { session } = await ask('/v1/code/sessions', { title: 'conformance' });
  const path = `/v1/code/sessions/${session.id}`;
  try {
    await run({
      proxy,
      session: session.id,
      path,
      credentials: () => ask(`${path}/bridge`, {}),
      /** Sends messages as a viewer. */
      postAsViewer: (/** @type {object[]} */ ...messages) =>
        ask(`${path}/events`, { events: messages.map((payload) => ({ payload })) }),
      /** Sends messages as a worker with these credentials. */
      postAsWorker: (/** @type {any} */ { worker_jwt, worker_epoch }, /** @type {object[]} */ ...messages) =>
        ask(`${path}/worker/events`, { worker_epoch, events: messages.map((payload) => ({ payload })) }, worker_jwt),
    });
  } finally {
    await proxy.close();
    await server.close();
    await log.close();
  }
}

/** Resolves when something holds; rejects after 20 s. @param {string} what @param {() => unknown} holds */
export async function until(what, holds) {
  const end = performance.now() + WAIT_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not seen in ${WAIT_MS} ms: ${what}`);
    await delay(10);
  }
}

/** Returns whether a condition holds within so many milliseconds. @param {() => unknown} holds */
export async function comes(holds, milliseconds = 5000) {
  const end = performance.now() + milliseconds;
  while (!holds() && performance.now() < end) await delay(10);
  return Boolean(holds());
}

/** A message of an agent with a text. @param {string} text */
export const assistant = (text) => ({
  type: 'assistant',
  uuid: randomUUID(),
  session_id: 'x',
  parent_tool_use_id: null,
  message: { id: `msg_${text}`, type: 'message', role: 'assistant', model: 'model', content: [{ type: 'text', text }] },
});

/** A prompt. @param {string} content */
export const prompt = (content) => ({
  type: 'user',
  uuid: randomUUID(),
  session_id: '',
  parent_tool_use_id: null,
  message: { role: 'user', content },
});

/** A request of the worker for a permission. @param {string} request_id */
export const permission = (request_id) => ({
  type: 'control_request',
  uuid: randomUUID(),
  request_id,
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: `tool-${request_id}` },
});

/** Returns whether any two requests of a list overlapped in time. @param {import('./recording-proxy.mjs').Exchange[]} posts */
export const overlap = (posts) => posts.some(({ began }, at) => at > 0 && began < (posts[at - 1]?.ended ?? 0));

/** The messages in the bodies of POSTs. @param {import('./recording-proxy.mjs').Exchange[]} posts */
export const payloadsOf = (posts) =>
  posts.flatMap(({ body }) => body.events.map((/** @type {any} */ entry) => entry.payload));
