import { expect, onTestFinished, test } from 'vitest';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  MAIN,
  messagesIn,
  outcomeOf,
  prompt,
  readUntil,
  request,
  run,
  SHIM,
  start,
  STREAM,
  TOKEN,
  TOKEN_FILE,
} from '../bins.test-support.ts';
import { runShim, started } from '../shim/far-agent.test-support.ts';

const NOWHERE = { SJP_SHIM_URL: 'http://127.0.0.1:9/v1' };

test('the shim prints its version without a configuration', async () => {
  const expected = { stdout: '2.1.330 (sjp-shim)\n', stderr: '', code: 0 };
  expect(await Promise.all([run(SHIM, ['-v']), run(SHIM, ['--version']), run(MAIN, ['shim', '-v'])])).toEqual([
    expected,
    expected,
    expected,
  ]);
});

test.each([
  ['no address', STREAM, {}, 'SJP_SHIM_URL is not set'],
  ['an invalid address', STREAM, { SJP_SHIM_URL: 'box.example' }, 'the address must start with'],
  ['a server that cannot be reached', STREAM, NOWHERE, 'cannot be reached'],
  ['an empty token file', STREAM, { ...NOWHERE, SJP_SHIM_TOKEN_FILE: '/dev/null' }, 'does not contain a token'],
  ['an unsupported flag', [...STREAM, '--resume=x', '--fork-session'], NOWHERE, '--fork-session cannot be used'],
  ['an unknown session to resume', [...STREAM, '--resume=x'], NOWHERE, 'No conversation found with session ID: x'],
  ['no session to continue', [...STREAM, '--continue'], NOWHERE, 'No conversation found to continue'],
])('%s is reported as a result message, on stderr, and with exit code 1', async (_, args, variables, text) => {
  const { stdout, stderr, code } = await outcomeOf(start(SHIM, args, variables), '');
  expect(messagesIn(stdout)).toMatchObject([
    { type: 'result', subtype: 'error_during_execution', is_error: true, errors: [expect.stringContaining(text)] },
  ]);
  expect([stderr, code]).toEqual([expect.stringContaining(text), 1]);
});

test('an unknown flag is refused on stderr without a result message', async () => {
  const expected = { stdout: '', stderr: expect.stringContaining('unknown option'), code: 1 };
  expect(await run(SHIM, ['--no-such-flag'], '', NOWHERE)).toEqual(expected);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s interrupts the turn of the remote agent', async (signal, code) => {
  const { said, child } = await started([], prompt('wait'));
  await readUntil(child, 'waiting');
  child.kill(signal);
  expect(await outcomeOf(child)).toMatchObject({ code, stdout: '' });
  expect(said.at(-1)).toMatchObject({ type: 'control_request', request: { subtype: 'interrupt' } });
});

test('options are sent after initialize and before the first prompt, and the host sees only the answers to its own requests', async () => {
  const input = request('initialize', { hooks: {} }) + prompt('hello', { odd: 1 });
  const { said, authorization, messages, code, stderr } = await runShim(
    ['--model', 'm', '--append-system-prompt', 'x'],
    input,
  );
  expect(authorization).toBe(`Bearer ${TOKEN}`);
  expect(said).toMatchObject([
    { request_id: '1', request: { subtype: 'initialize', hooks: {}, appendSystemPrompt: 'x' } },
    { type: 'control_request', request: { subtype: 'set_model', model: 'm' } },
    { type: 'user', odd: 1, uuid: expect.stringMatching(/^[\da-f-]{36}$/) },
  ]);
  expect(messages).toMatchObject([{ type: 'control_response' }, { type: 'unheard_of' }, { type: 'result' }]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('the agent runs on 127.0.0.1')]);
});

test.each([
  ['ws', 'GET /v1/sessions/ws/cse_1/subscribe'],
  ['http', 'GET /v1/code/sessions/cse_1/events/stream'],
])('a %s: address selects the transport of the session', async (scheme, way) => {
  const server = createServer(({ method, url }, response) => {
    if (method === 'POST') return void response.end('{"session":{"id":"cse_1"}}');
    server.emit('reached', `${method} ${url}`);
  }).listen(0, '127.0.0.1');
  server.on('upgrade', ({ method, url }, socket) => {
    server.emit('reached', `${method} ${url}`);
    socket.destroy();
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const reached = once(server, 'reached');
  const { port } = server.address() as AddressInfo;
  const child = start(SHIM, STREAM, {
    SJP_SHIM_URL: `${scheme}://127.0.0.1:${port}/v1`,
    SJP_SHIM_TOKEN_FILE: TOKEN_FILE,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await reached).toEqual([way]);
});

test('without initialize, options are sent before the first prompt', async () => {
  const { said } = await runShim(['--disallowedTools', 'Bash'], prompt('hello', { uuid: 'mine' }));
  expect(said).toMatchObject([
    { request: { subtype: 'apply_flag_settings', settings: { permissions: { deny: ['Bash'] } } } },
    { type: 'user', uuid: 'mine' },
  ]);
});

test('the host receives the message kinds that its flags request', async () => {
  const { messages } = await runShim(['--include-partial-messages'], prompt('hello', { uuid: 'mine' }));
  expect(messages.map(({ type }) => type)).toEqual(['stream_event', 'unheard_of', 'command_lifecycle', 'result']);
});
