/** Tests of `sjp bridge sse+…/worker -- AGENT`. The bridge runs from source, with an ingress in this process. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { WireMessage } from '@proto/core/framing';
import { encodeBatch, flattenIncoming } from '@proto/core/transport';
import { createAccounts, createMemoryEventLog, type IngressServer, listen } from '@proto/ingress';
import { createSseTransport } from '@proto/transport-sse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '@proto/remote';
import { FOLDER, TOKEN, TOKEN_FILE } from '../bins.test-support.ts';
import { InnerProcess } from '../inner-process.test-support.ts';
import { runBridgeCommand } from '../bridge/run-bridge-command.ts';

const strangeFile = join(FOLDER, 'strange-token');
writeFileSync(strangeFile, 'somebody-elses-token');
let server: IngressServer;
beforeAll(async () => {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  server = await listen({ log: createMemoryEventLog(), accounts, port: 0 });
});
afterAll(() => server.close());

/** An agent that answers each prompt with its process id, and exits with 7 if the prompt requests this. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.includes('leave')) process.exit(7);
    console.log(JSON.stringify({ type: 'result', subtype: 'success', pid: process.pid, line }));
  });
`;

/** Starts a bridge. Returns its stderr output and its exit code. */
function start(session: string, file: string, program = [process.execPath, '--eval', PROGRAM]) {
  const here = new InnerProcess();
  const uri = `sse+${server.url}/v1/code/sessions/${session}/worker`;
  const code = runBridgeCommand([uri], program, { tokenFile: file, json: true }, here).finally(() => here.stderr.end());
  return { signals: here, outcome: Promise.all([code, text(here.stderr)]) };
}

test('the agent receives the messages of clients, and the bridge exits with the code of the agent', async () => {
  const { id, url } = await openSession({ base: server.url, session: 'new', token: TOKEN });
  const { outcome } = start(id, TOKEN_FILE);
  const viewer = createSseTransport({ url, credential: () => TOKEN });
  const items = flattenIncoming(viewer.incoming);
  const next = async (matches: (message: WireMessage) => boolean) => {
    for (;;) {
      const { value } = await items.next();
      const message = value?.kind === 'message' ? value.read().message : undefined;
      if (message !== undefined && matches(message)) return message;
    }
  };
  await viewer.send(encodeBatch({ type: 'user', odd: 1, message: { role: 'user', content: 'hello' } }));
  const answer = await next(({ type }) => type === 'result');
  expect(answer).toMatchObject({ type: 'result', line: expect.stringContaining('"odd":1') });
  await viewer.send(encodeBatch({ type: 'user', message: { role: 'user', content: 'leave' } }));
  expect(await next(({ subtype }) => subtype === 'agent_exited')).toMatchObject({ code: 7 });
  expect(await outcome).toEqual([7, '']);
  viewer.abort();
});

test('SIGTERM ends the agent and releases the session', async () => {
  const { id, url } = await openSession({ base: server.url, session: 'new', token: TOKEN });
  const { outcome, signals } = start(id, TOKEN_FILE);
  const viewer = createSseTransport({ url, credential: () => TOKEN });
  await viewer.send(encodeBatch({ type: 'user', message: { role: 'user', content: 'hello' } }));
  await flattenIncoming(viewer.incoming).next();
  signals.emit('SIGTERM');
  expect((await outcome)[0]).toBe(143);
  viewer.abort();
});

test.each([
  ['a session that does not exist', 'cse_nowhere', TOKEN_FILE, 4, 'not_found'],
  ['an unknown token', 'cse_nowhere', strangeFile, 3, 'auth_required'],
])('%s is reported before the agent starts', async (_, session, file, code, error) => {
  const [exitCode, stderr] = await start(session, file).outcome;
  expect([exitCode, JSON.parse(stderr)]).toMatchObject([code, { error: { code: error } }]);
});

test('a program that cannot be started is reported to the session and by the exit code', async () => {
  const { id } = await openSession({ base: server.url, session: 'new', token: TOKEN });
  expect((await start(id, TOKEN_FILE, ['no-such-agent-anywhere']).outcome)[0]).toBe(4);
});

test('the worker endpoint requires a program', async () => {
  const [code, stderr] = await start('cse_1', TOKEN_FILE, []).outcome;
  expect([code, stderr]).toEqual([2, expect.stringContaining('a command after --')]);
});
