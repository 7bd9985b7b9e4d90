/** Property tests: no client input to any endpoint, with any role, causes an internal error of the server. */
import fc from 'fast-check';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { startIngress, TOKENS, user } from './ingress.test-support.ts';
import { SkippedError } from './session/skipped.ts';
import { start } from './socket/socket-suite.test-support.ts';

const onError = vi.fn();
const { ingress, newSession, call } = await startIngress({ onError });
const session = await newSession();
const { token: worker, epoch } = await session.claimLease();
await session.send([user('a')]);

const odd = fc.constantFrom(
  '\0',
  '\r\n',
  '\ud800',
  '\udc00',
  '\u0100',
  '\u00ff',
  '%',
  '%zz',
  '%00',
  '%ff',
  '%2f',
  '..',
  '//',
  '\\',
  '?',
  '#',
  '@',
  ':',
  ';',
  ' ',
  '"',
  '\u{1f600}',
  '__proto__',
  'constructor',
);
const text = fc.oneof(
  fc.string(),
  odd,
  fc.array(fc.oneof(odd, fc.string({ maxLength: 4 })), { maxLength: 6 }).map((parts) => parts.join('')),
);
const part = fc.oneof({ weight: 3, arbitrary: fc.constant(session.id) }, { weight: 1, arbitrary: text });
const ENDPOINTS = [
  '/v1/code/sessions',
  '/v1/code/sessions/ID',
  '/v1/code/sessions/ID/bridge',
  '/v1/code/sessions/ID/tickets',
  '/v1/code/sessions/ID/events',
  '/v1/code/sessions/ID/events/stream',
  '/v1/code/sessions/ID/worker',
  '/v1/code/sessions/ID/worker/events',
  '/v1/code/sessions/ID/worker/events/delivery',
  '/v1/code/sessions/ID/worker/events/stream',
  '/v1/code/sessions/ID/worker/heartbeat',
  '/v1/code/sessions/ID/worker/internal-events',
  '/v1/session_ingress/session/ID/events',
  '/v1/session_ingress/ws/ID',
  '/v1/sessions/ws/ID/subscribe',
];
const QUERIES = [
  'ticket',
  'after',
  'limit',
  'from_sequence_num',
  'cursor',
  'after_event_id',
  'session_agent_id',
  'subagents',
];
const path = fc
  .tuple(
    fc.constantFrom(...ENDPOINTS),
    part,
    fc.dictionary(fc.oneof(fc.constantFrom(...QUERIES), text), text, { maxKeys: 3 }),
    fc.boolean(),
  )
  .map(([endpoint, id, query, isRaw]) => {
    const pairs = Object.entries(query).map(([name, value]) =>
      isRaw ? `${name}=${value}` : `${encode(name)}=${encode(value)}`,
    );
    return `${endpoint.replace('ID', () => id)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
  });
const token = fc.oneof(fc.constantFrom(...Object.values(TOKENS), worker), text.map(byteText));
const HEADERS = [
  'origin',
  'last-event-id',
  'content-type',
  'content-length',
  'sec-fetch-site',
  'x-last-request-id',
  'host',
];
const headers = fc.dictionary(fc.constantFrom(...HEADERS), text.map(byteText), { maxKeys: 2 });
const payload = fc.oneof(
  fc.object({
    key: fc.oneof(fc.constantFrom('type', 'uuid', 'request_id', 'request', 'response', 'subtype'), text),
    values: [text, fc.integer(), fc.constant(null)],
  }),
  fc.record(
    {
      type: fc.oneof(fc.constantFrom('user', 'control_request', 'control_response', 'control_cancel_request'), text),
      uuid: text,
      request_id: text,
      response: fc.jsonValue(),
      request: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  ),
);
const body = fc.oneof(
  text,
  fc.json(),
  fc
    .record(
      {
        events: fc.array(
          fc.oneof(
            fc.record({ payload, ephemeral: fc.jsonValue() }, { requiredKeys: ['payload'] }),
            payload,
            fc.jsonValue(),
          ),
          { maxLength: 4 },
        ),
        updates: fc.array(
          fc.oneof(
            fc.record({ event_id: text, status: fc.oneof(fc.constantFrom('received', 'processed'), text) }),
            fc.jsonValue(),
          ),
          { maxLength: 3 },
        ),
        session_id: fc.oneof(fc.constant(session.id), text),
        worker_epoch: fc.oneof(fc.constant(epoch), fc.jsonValue()),
        worker_status: fc.jsonValue(),
        external_metadata: fc.jsonValue(),
        title: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);

/** Encodes a value for a URL, which cannot contain lone surrogates. */
function encode(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, ''));
}

/** Encodes a value for a header: Node passes each byte as one character. */
function byteText(value: string): string {
  return Buffer.from(value.replaceAll(/[\0\r\n]/g, ''))
    .toString('latin1')
    .trim();
}

test('no request is answered with 500', async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.constantFrom('GET', 'POST', 'PUT', 'OPTIONS', 'HEAD', 'DELETE'),
      token,
      headers,
      body,
      async (target, method, bearer, others, sent) => {
        const withBody = method === 'POST' || method === 'PUT';
        const request = new Request(`http://127.0.0.1${target.startsWith('/') ? target : `/${target}`}`, {
          method,
          headers: { ...others, authorization: `Bearer ${bearer}` },
          ...(withBody && { body: sent }),
        });
        const response = await ingress.fetch(request);
        await response.body?.cancel();
        expect(response.status).not.toBe(500);
        const upgrade = await ingress.upgrade(new Request(request.url, { headers: request.headers }));
        if (upgrade instanceof Response) expect(upgrade.status).not.toBe(500);
      },
    ),
    { numRuns: Number(process.env['ODD_RUNS'] ?? 3000) },
  );
  // An invalid entry of a worker is skipped and reported.
  const faults = onError.mock.calls.filter(([error]) => !(error instanceof SkippedError));
  expect(faults).toEqual([]);
  expect((await call('/v1/code/sessions', { token: TOKENS.driver, json: {} })).status).toBe(200);
});

test('no bytes on a connection cause an internal error', async () => {
  const onError = vi.fn();
  const { server, newSession: makeSession } = await start({ onError });
  const { id } = await makeSession();
  const { port } = new URL(server.url);
  const ask = async (bytes: Uint8Array) => {
    const connection = connect(Number(port), '127.0.0.1');
    connection.on('error', () => {});
    connection.write(bytes);
    let answer = '';
    try {
      for await (const chunk of connection) {
        answer += String(chunk);
        if (/\r\n\r\n/.test(answer)) break;
      }
    } catch {
      // The server may also cut the connection.
    }
    return answer;
  };
  const bytes = fc.uint8Array({ maxLength: 12 }).map((given) => Buffer.from(given).toString('latin1'));
  const line = fc
    .tuple(
      fc.constantFrom(...ENDPOINTS),
      fc.oneof(fc.constant(id), bytes),
      fc.constantFrom('', 'http://evil.example', '//', 'HTTP://x'),
      fc.constantFrom('GET', 'POST'),
    )
    .map(([endpoint, given, before, method]) => `${method} ${before}${endpoint.replace('ID', () => given)} HTTP/1.1`);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  await fc.assert(
    fc.asyncProperty(line, bytes, bytes, fc.boolean(), async (first, bearer, key, isUpgrade) => {
      const lines = [
        first,
        'Host: 127.0.0.1',
        `Authorization: Bearer ${bearer}`,
        ...(isUpgrade ? [...upgrade, `Sec-WebSocket-Key: ${key}`] : ['Connection: close', 'Content-Length: 0']),
      ];
      const answer = await ask(Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'));
      expect(answer).not.toMatch(/^HTTP\/1\.1 500/);
    }),
    { numRuns: 400 },
  );
  expect(onError.mock.calls).toEqual([]);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
