/** Runs whole sessions through `sjp bridge`: with a host that only supports stdio, and with such an agent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AgentCommand } from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { createWebSocketClientTransport } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { afterAll } from 'vitest';
import { bin } from '../remote/served-agents.ts';
import { testScenarios } from './scenarios.ts';
import { webSocketAgents } from './web-socket-agents.ts';

const folder = mkdtempSync(join(tmpdir(), 'bridge-'));
const token = 'a-token-of-at-least-16';
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, token);
const agents = await webSocketAgents();
const bridges = new Set<ChildProcess>();
afterAll(async () => {
  for (const bridge of bridges) bridge.kill('SIGKILL');
  await agents.close();
  rmSync(folder, { recursive: true, force: true });
});

testScenarios('a bridge from stdio to WebSocket', ({ args, env }) =>
  spawnAgent({ command: bin('main'), args: ['bridge', '-', agents.open(args)], env: inheritEnvironment(env) }),
);

testScenarios('a bridge from WebSocket to stdio', (launch) =>
  createWebSocketClientTransport({ url: () => listen(launch), credential: token, open: openSocket }),
);

/** Starts a bridge with an agent that waits for a client. Returns the address of the bridge. */
async function listen({ args, env }: AgentCommand): Promise<string> {
  const flags = ['bridge', '--json', '--listen', 'ws://127.0.0.1:0', '--client-token-file', tokenFile];
  const bridge = spawn(process.execPath, [bin('main'), ...flags, '--', bin('agent'), ...args], {
    env: inheritEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  bridges.add(bridge);
  bridge.once('exit', () => bridges.delete(bridge));
  const lines = createInterface(bridge.stdout)[Symbol.asyncIterator]();
  return (JSON.parse((await lines.next()).value ?? '') as { url: string }).url;
}
