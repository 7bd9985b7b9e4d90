import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const HOST = fileURLToPath(new URL('sdk-host.mjs', import.meta.url));
const LOOPBACK_ONLY = new URL('loopback-only.mjs', import.meta.url).href;
const WATCHED_AGENT = fileURLToPath(new URL('watched-agent.mjs', import.meta.url));
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
  readonly reported?: unknown;
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
  /** How many messages the agents have sent. */
  readonly sent: number;
  /** The ids of cancels for requests that the agent has not sent. */
  readonly strayCancels: readonly unknown[];
}

/** The program that a host starts instead of the agent, and its environment. */
export interface HostAgent {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a scenario of the SDK in a new process with a clean environment, until the process ends by itself. */
export async function runHost(scenario: string, agent: HostAgent = { path: AGENT, env: {} }): Promise<HostRun> {
  const SJP_HOME = mkdtempSync(join(tmpdir(), 'sdk-host-'));
  const kept = mkdtempSync(join(tmpdir(), 'sdk-host-stdout-'));
  // Root may skip permissions only in a sandbox.
  const env = {
    PATH: process.env['PATH'],
    SJP_HOME,
    IS_SANDBOX: '1',
    NODE_OPTIONS: `--import=${LOOPBACK_ONLY}`,
    WATCHED_AGENT: agent.path,
    WATCHED_OUTPUT: kept,
    ...agent.env,
  };
  const child = spawn(process.execPath, [HOST, scenario, WATCHED_AGENT], {
    env,
    // Agents may write into their working directory.
    cwd: SJP_HOME,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), 20_000);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  clearTimeout(killer);
  const lines = readdirSync(kept).map((file) => readFileSync(join(kept, file), 'utf8').split('\n').filter(Boolean));
  for (const folder of [SJP_HOME, kept]) rmSync(folder, { recursive: true, force: true });
  return {
    sent: lines.flat().length,
    strayCancels: lines.flatMap(strayCancelsIn),
    messages: stdout === '' ? [] : JSON.parse(stdout),
    code,
    stderr,
    leftBehind: groupLives(child.pid),
  };
}

/** The ids of cancels for requests that an agent with these lines has not sent. */
function strayCancelsIn(lines: readonly string[]): readonly unknown[] {
  const asked = new Set<unknown>();
  return lines.flatMap((line) => {
    const { type, request_id: id } = JSON.parse(line) as { readonly type: string; readonly request_id?: unknown };
    if (type === 'control_request') asked.add(id);
    return type === 'control_cancel_request' && !asked.has(id) ? [id] : [];
  });
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
