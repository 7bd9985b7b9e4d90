import { cutText, parseJson } from '@proto/core/framing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setTimer } from '@proto/core/network';
import { encodeBatch, flattenIncoming, type Incoming, type Transport } from '@proto/core/transport';
import { createRedactor } from '@proto/recording';
import {
  AgentNotFoundError,
  execWords,
  findAgent,
  inheritEnvironment,
  processEndOf,
  spawnAgent,
} from '@proto/transport-stdio';
import { LAUNCH } from '../run/run-agent.ts';
import { type Check, failed, fine, milliseconds, noted, skipped } from './check.ts';

/** The oldest and the newest version of the native agent with which this library is tested. */
export const TESTED_AGENTS = { from: '2.1.112', to: '2.1.332' } as const;

/** The agent to check, and the time limit. */
export interface AgentCheckOptions {
  /** The command line of the agent, such as `claude`, as one string. */
  readonly agent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long the agent may take to print its version, and to send its first answer, in milliseconds. Default 15 000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
const MAX_EXCERPT_LENGTH = 80;

/** Checks that an agent can be found, which version it has, and that it writes only protocol messages to stdout. */
export async function agentChecks({
  agent,
  env,
  timeoutMs = TIMEOUT_MS,
}: AgentCheckOptions): Promise<readonly Check[]> {
  const [command = '', ...args] = execWords(`exec:${agent}`);
  const childEnv = inheritEnvironment({ ...LAUNCH.env }, env);
  let file: string;
  try {
    file = findAgent({ command, env: childEnv });
  } catch (error) {
    const found = AgentNotFoundError.find(error)?.message.replace(/^stdio: /, '') ?? (error as Error).message;
    const rest = ['agent version', 'agent stdout'].map((name) => skipped(name, 'no agent was found'));
    return [
      failed('agent', 'agent-not-found', found, 'install the agent, or give its path with --agent /path/to/agent'),
      ...rest,
    ];
  }
  const version = await versionCheck(command === file ? command : file, args, childEnv, timeoutMs);
  const transport = spawnAgent({ command, args: [...args, ...LAUNCH.args], env: childEnv });
  return [fine('agent', file), version, await stdoutCheck(transport, timeoutMs)];
}

async function versionCheck(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  timeout: number,
): Promise<Check> {
  const name = 'agent version';
  const range = `the tested versions are ${TESTED_AGENTS.from} to ${TESTED_AGENTS.to}`;
  const run = promisify(execFile);
  const said = await run(file, [...args, '--version'], { env: { ...env }, timeout, maxBuffer: 65_536 }).catch(
    () => undefined,
  );
  const version = /\d+\.\d+\.\d+/.exec(said?.stdout ?? '')?.[0];
  if (version === undefined) return noted(name, `the agent does not report its version; ${range}`);
  const found = `${version}, ${range}`;
  if (compareVersions(version, TESTED_AGENTS.from) < 0) return failed(name, 'old-agent', found, 'update the agent');
  if (compareVersions(version, TESTED_AGENTS.to) <= 0) return fine(name, found);
  return noted(name, `${found}, so the agent is newer`, 'check whether there is a newer version of this program');
}

function compareVersions(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => version.split('.').map(Number));
  const at = one?.findIndex((part, index) => part !== other?.[index]) ?? -1;
  return at < 0 ? 0 : (one?.[at] ?? 0) - (other?.[at] ?? 0);
}

/** Sends `initialize`, and checks everything that the agent writes to stdout up to the answer. */
async function stdoutCheck(transport: Transport, timeoutMs: number): Promise<Check> {
  const name = 'agent stdout';
  const timer = setTimer(() => transport.abort(), timeoutMs);
  const from = performance.now();
  const ask = { type: 'control_request', request_id: 'doctor', request: { subtype: 'initialize' } };
  try {
    await transport.send(encodeBatch(ask));
    for await (const item of transportItems(transport)) {
      if (item.kind !== 'message' && item.kind !== 'malformed') continue;
      const message = item.kind === 'message' ? objectIn(item.text) : undefined;
      if (message === undefined) return printsText(name, item.kind === 'message' ? item.text : item.excerpt);
      const { response } = message;
      if (response === undefined) continue;
      return fine(name, `the agent answers initialize after ${milliseconds(from)}: ${capabilitiesOf(response)}`);
    }
  } catch {
    // This error is ignored, because the way the agent ended explains more.
  } finally {
    timer.clear();
    transport.abort();
  }
  return noAnswer(name, await transport.closed, performance.now() - from >= timeoutMs);
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function transportItems(transport: Transport): AsyncIterable<Incoming> {
  return { [Symbol.asyncIterator]: () => flattenIncoming(transport.incoming) };
}

function printsText(name: string, excerpt: string): Check {
  const text = cutText(createRedactor().text(excerpt), MAX_EXCERPT_LENGTH);
  return failed(
    name,
    'agent-prints-to-stdout',
    `a line is not a message: ${JSON.stringify(text)}`,
    'stdout may contain only messages: let the agent, its wrapper script and its shell profile write other text to stderr',
  );
}

function noAnswer(name: string, close: Awaited<Transport['closed']>, isLate: boolean): Check {
  const { exitCode, stderrTail = '' } = processEndOf(close) ?? {};
  const last = createRedactor().text(stderrTail).trim().split('\n').at(-1) ?? '';
  const why = isLate ? 'in time' : `and exits with ${exitCode ?? 'a signal'}`;
  const found = `the agent does not answer initialize ${why}${last === '' ? '' : `: ${cutText(last, MAX_EXCERPT_LENGTH)}`}`;
  return failed(name, 'agent-silent', found, 'run the agent manually, and read its stderr');
}

function capabilitiesOf(response: unknown): string {
  const offered: unknown = Object(response).response;
  const members = Object.entries(Object(offered) as Record<string, unknown>);
  const shown = members.map(([name, value]) => (Array.isArray(value) ? `${value.length} ${name}` : name));
  return shown.length === 0 ? 'no capabilities' : shown.join(', ');
}
