import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('sdk-host.mjs', import.meta.url));
const LOOPBACK_ONLY = new URL('loopback-only.mjs', import.meta.url).href;
/** The agent as it is published: the built file, which hosts start by its path. */
const AGENT = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));

/** The members of an SDK message that the tests check. */
export interface SeenMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly result?: string;
  readonly structured_output?: unknown;
  readonly parent_tool_use_id?: string | null;
  readonly state?: string;
  readonly event?: { readonly type: string; readonly delta?: { readonly text?: string } };
  readonly message?: { readonly content: readonly SeenBlock[] };
  /** What a scenario reports about its host, before the messages. */
  readonly asked?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly called?: readonly Readonly<Record<string, unknown>>[];
  readonly told?: unknown;
  readonly answers?: readonly (readonly [method: string, answer: unknown])[];
}

interface SeenBlock {
  readonly type?: string;
  readonly text: string;
  readonly content?: unknown;
  readonly is_error?: boolean;
}

/** The result of a scenario: the messages that its host received, and how its process ended. */
export interface HostRun {
  readonly messages: readonly SeenMessage[];
  readonly code: number | null;
  readonly stderr: string;
  /** Whether a process of its group, such as the agent, outlived the host. */
  readonly leftBehind: boolean;
}

/** The program that a host starts instead of the agent, and its environment. */
export interface HostAgent {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a scenario of the SDK in a new process with a clean environment, until the process ends by itself. */
export async function runHost(scenario: string, agent: HostAgent = { path: AGENT, env: {} }): Promise<HostRun> {
  const SJP_HOME = mkdtempSync(join(tmpdir(), 'sdk-host-'));
  // Root may skip permissions only in a sandbox.
  const env = {
    PATH: process.env['PATH'],
    SJP_HOME,
    IS_SANDBOX: '1',
    NODE_OPTIONS: `--import=${LOOPBACK_ONLY}`,
    ...agent.env,
  };
  const child = spawn(process.execPath, [HOST, scenario, agent.path], {
    env,
    // Agents may write into their working directory.
    cwd: SJP_HOME,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 20_000);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(killer);
  rmSync(SJP_HOME, { recursive: true, force: true });
  return { messages: stdout === '' ? [] : JSON.parse(stdout), code, stderr, leftBehind: groupLives(child.pid) };
}

function groupLives(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
