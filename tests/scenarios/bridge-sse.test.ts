/** Connects two programs that only support stdio through a server: the host uses `sjp-shim`, the agent is a worker through `sjp bridge`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentCommand } from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { afterAll } from 'vitest';
import { newSession, startIngress, TOKENS } from '../remote/remote-session.ts';
import { bin } from '../remote/served-agents.ts';
import { testScenarios } from './scenarios.ts';

// Hosts start at once, but a session needs a request first, so the test creates the sessions before the hosts.
const SESSIONS = 40;

const folder = mkdtempSync(join(tmpdir(), 'bridge-'));
const SJP_SHIM_TOKEN_FILE = join(folder, 'token');
writeFileSync(SJP_SHIM_TOKEN_FILE, TOKENS.driver);
const { url, close } = await startIngress();
const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => newSession(url)));
const workers = new Set<ChildProcess>();
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await close();
  rmSync(folder, { recursive: true, force: true });
});

testScenarios('a bridge on each side of a server', ({ args, env }) => {
  const session = `${url}/v1/code/sessions/${sessions.pop()}`;
  const worker = startWorker(session, { args, env });
  const host = spawnAgent({
    command: bin('shim'),
    args,
    env: inheritEnvironment({ ...env, SJP_HOME: folder, SJP_SHIM_URL: session, SJP_SHIM_TOKEN_FILE }),
  });
  // The session stays on the server; no client of this test returns to it.
  void host.closed.then(() => worker.kill());
  return host;
});

/** Starts a reference agent as the worker of a session. */
function startWorker(session: string, { args, env }: AgentCommand): ChildProcess {
  const flags = ['bridge', `--token-file=${SJP_SHIM_TOKEN_FILE}`, `sse+${session}/worker`];
  const worker = spawn(process.execPath, [bin('main'), ...flags, '--', bin('agent'), ...args], {
    cwd: folder,
    env: inheritEnvironment({ ...env, SJP_HOME: folder }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
  return worker;
}
