import type { Writable } from 'node:stream';
import { encodeLine } from '@proto/core/framing';
import { checkDurations } from '@proto/core/network';
import { parseSessionAddress } from '@proto/remote';
import { EXIT } from '../process/exit-code.ts';
import { type Color, type ColorMode, createPaint, plain } from '../view/terminal-text.ts';
import { agentChecks } from './agent-checks.ts';
import type { Check, CheckStatus } from './check.ts';
import { connectionChecks } from './connection-checks.ts';
import { type Machine, machineChecks, portCheck } from './machine-checks.ts';

export { TESTED_AGENTS } from './agent-checks.ts';
export type { Check, CheckStatus } from './check.ts';
export type { Machine } from './machine-checks.ts';

/** What to examine, and how to write the report. */
export interface DoctorOptions {
  /** The name and the version of the program, such as `sjp 0.2.0`. */
  readonly program: string;
  /** The command line of an agent, as one string. Default: no agent is examined. */
  readonly agent?: string | undefined;
  /** The address of a server, or of one of its sessions. Default: no connection is made. */
  readonly url?: string | undefined;
  /** The token for the server, or the function that finds it for a host name. Default: no token. */
  readonly token?: string | ((hostname: string) => Promise<string | undefined>) | undefined;
  /** The port at which a server could listen. */
  readonly port: number;
  /** How long each step of a connection may take, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** Whether to write one JSON object. Default false: human-readable lines are written. */
  readonly json?: boolean | undefined;
  /** When human-readable lines are coloured. Default `auto`. */
  readonly color?: ColorMode | undefined;
}

/** The process that writes the report. */
export interface DoctorProcess extends Machine {
  /** The stream to which the report is written. */
  readonly stdout: Writable & { readonly isTTY?: boolean };
}

const EXITS: Readonly<Record<string, number>> = {
  'wrong-token': EXIT.auth,
  'no-token': EXIT.auth,
  'agent-not-found': EXIT.unreachable,
  'wrong-address': EXIT.usage,
};
const UNREACHABLE = /^(?:name|not-listening|no-|tls|http|wrong-path|server-error)/;

/**
 * Examines this machine, an agent and a connection, and writes a report without secrets to stdout. Fulfils with the exit code: 0 if nothing is wrong,
 * 3 for a refused token, 4 for an agent or a server that cannot be reached, 2 for a malformed address, 1 for any other problem. Rejects with the
 * error of `token` before the examination begins.
 */
export async function runDoctor(options: DoctorOptions, here: DoctorProcess): Promise<number> {
  checkDurations(options, ['timeoutMs']);
  const { agent, url, port, timeoutMs } = options;
  const token = await tokenFor(options);
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const checks: readonly Check[] = [
    ...machineChecks(here),
    await portCheck(port),
    ...(agent === undefined ? [] : await agentChecks({ agent, env: here.env })),
    ...(url === undefined ? [] : await connectionChecks({ url, token, ...limit })),
  ];
  const wrong = checks.filter(({ status }) => status === 'failed');
  here.stdout.write(options.json === true ? reportAsJson(options, checks) : reportAsText(options, checks, here));
  const [first] = wrong;
  if (first === undefined) return EXIT.ok;
  return EXITS[first.problem ?? ''] ?? (UNREACHABLE.test(first.problem ?? '') ? EXIT.unreachable : EXIT.failed);
}

/** Returns the token for the server; undefined for a malformed address, which a check reports. */
async function tokenFor({ url, token }: DoctorOptions): Promise<string | undefined> {
  if (typeof token !== 'function') return token;
  let hostname: string;
  try {
    ({ hostname } = parseSessionAddress(url ?? ''));
  } catch {
    return undefined;
  }
  return token(hostname);
}

function reportAsJson({ program }: DoctorOptions, checks: readonly Check[]): string {
  const problems = checks.flatMap(({ problem }) => problem ?? []);
  return encodeLine({
    type: 'result',
    program,
    ok: problems.length === 0,
    problems,
    verdict: verdictOf(checks),
    checks,
  });
}

const LOOKS: Readonly<Record<CheckStatus, { readonly mark: string; readonly color: Color }>> = {
  ok: { mark: 'ok', color: 'green' },
  note: { mark: 'note', color: 'yellow' },
  failed: { mark: 'FAIL', color: 'red' },
  skipped: { mark: '-', color: 'dim' },
};

function reportAsText(
  { program, color = 'auto' }: DoctorOptions,
  checks: readonly Check[],
  here: DoctorProcess,
): string {
  const paint = createPaint(color, here.env, here.stdout);
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.flatMap(({ name, status, found, advice }) => {
    const { mark, color: tone } = LOOKS[status];
    const start = `${paint(tone, mark.padEnd(4))} ${name.padEnd(width)}  `;
    return [
      `${start}${plain(found)}`,
      ...(advice === undefined ? [] : [`${' '.repeat(width + 7)}-> ${plain(advice)}`]),
    ];
  });
  return [program, ...lines, verdictOf(checks), ''].join('\n');
}

function verdictOf(checks: readonly Check[]): string {
  const wrong = checks.filter(({ status }) => status === 'failed');
  if (wrong.length === 0) return 'nothing is wrong';
  return `failed checks: ${wrong.map(({ name, problem }) => `${name} (${problem})`).join(', ')}`;
}
