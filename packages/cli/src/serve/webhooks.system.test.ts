/** Tests of `sjp serve --notify`: what a receiver gets, and which options are refused. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { FOLDER, MAIN, run } from '../bins.test-support.ts';
import { startServer } from './serve.test-support.ts';

const KEY = Buffer.alloc(32, 7);

async function startReceiver() {
  const received: Promise<{ readonly headers: IncomingMessage['headers']; readonly body: string }>[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    received.push(text(request).then((body) => ({ headers: request.headers, body })));
    response.writeHead(204).end();
    wake();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    async take(count: number) {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return Promise.all(received);
    },
  };
}

function secretFile(secret = `whsec_${KEY.toString('base64')}`): string {
  const file = join(FOLDER, `secret-${crypto.randomUUID()}`);
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  return file;
}

test('a question that waits is posted with a signature and a link, and withdrawn when it is answered', async () => {
  const receiver = await startReceiver();
  const link = ['--notify-link', 'https://chat.example/#{session}'];
  const flags = ['--notify-secret-file', secretFile(), '--notify-after', '50ms', ...link];
  const server = await startServer(flags, { SJP_NOTIFY: receiver.url });
  const session = await server.newSession();
  const { worker_jwt: token, worker_epoch } = (await server.post(`/${session}/bridge`)).body;
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'date' } };
  const events = [{ payload: { type: 'control_request', request_id: '1', request } }];
  await fetch(`${server.base}/v1/code/sessions/${session}/worker/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(token)}` },
    body: JSON.stringify({ worker_epoch, events }),
  });
  await receiver.take(1);
  const response = { subtype: 'success', request_id: '1', response: { behavior: 'deny', message: 'no' } };
  await server.say(session, { type: 'control_response', response });
  const received = await receiver.take(2);
  for (const { headers, body } of received) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const signature = createHmac('sha256', KEY).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  }
  const bodies = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(bodies).toMatchObject([
    { type: 'question.waiting', data: { tool_name: 'Bash', link: `https://chat.example/#${session}` } },
    { type: 'question.settled', data: { session_id: session, request_id: '1', outcome: 'answered' } },
  ]);
  const { stderr } = await server.stop();
  expect(stderr).toBe('');
});

test.each([
  [['--notify', 'https://hooks.example'], 'give --notify with an address and --notify-secret-file with a file'],
  [['--notify-after', '10s'], 'give --notify with an address and --notify-secret-file with a file'],
  [['--notify', 'http://hooks.example', '--notify-secret-file', secretFile()], 'url must be an address that begins'],
  [['--notify', 'https://hooks.example', '--notify-secret-file', secretFile('a-token-of-16-characters')], 'whsec_'],
  [['--notify', 'https://hooks.example', '--notify-secret-file', join(FOLDER, 'missing')], 'missing'],
])('%j is a usage error', async (flags, message) => {
  const { code, stderr } = await run(MAIN, ['serve', '--store', 'memory', '--listen', '127.0.0.1:0', ...flags]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
