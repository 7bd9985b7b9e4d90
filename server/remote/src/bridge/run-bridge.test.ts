import { createMemoryPair, type Transport } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { type BridgeEvent, runBridge, type RunBridgeOptions } from './run-bridge.ts';

const node = (program: string) => [process.execPath, '--eval', program];
const settings = { env: process.env, token: async () => undefined };

/** Runs a bridge between a host in this process and a program. */
async function running(agent: RunBridgeOptions['agent'], host?: RunBridgeOptions['host']) {
  const events: BridgeEvent[] = [];
  const pair = createMemoryPair();
  const far: Transport = pair.host;
  const bridge = await runBridge({
    ...settings,
    host: host ?? pair.agent,
    agent,
    onEvent: (event) => events.push(event),
  });
  return { bridge, events, far };
}

test('a bridge fulfils with the exit code of its child, and reports what the child writes on stderr', async () => {
  const { bridge, events } = await running(node("process.stderr.write('said'); process.exitCode = 3"));
  expect(await bridge.closed).toBe(3);
  expect(events).toContainEqual({ type: 'agent_stderr', text: 'said' });
});

test('interrupt ends a child as SIGINT does', async () => {
  const ready = 'console.log(\'{"type":"ready"}\')';
  const { bridge, far } = await running(
    node(`process.on('SIGINT', () => process.exit(7)); setInterval(() => {}, 1000); ${ready}`),
  );
  for await (const items of far.incoming) if (items.some(({ kind }) => kind === 'message')) break;
  bridge.interrupt();
  expect(await bridge.closed).toBe(7);
});

test('a program that does not exist is refused before anything is opened', async () => {
  const { events } = await running(node(''));
  await expect(
    runBridge({ ...settings, host: '-', agent: ['/nowhere/agent'], onEvent: (event) => events.push(event) }),
  ).rejects.toMatchObject({ code: 'agent-not-found' });
});

test('the worker of a session is a program, and the address names the session', async () => {
  const host = 'sse+http://127.0.0.1:1/v1/code/sessions/cse_1/worker';
  await expect(running('wss://box.example', host)).rejects.toThrow('a command after --');
  await expect(running(host)).rejects.toThrow('a command after --');
  await expect(running(node(''), 'sse+http://127.0.0.1:1/worker')).rejects.toThrow('must be the address of a session');
});
