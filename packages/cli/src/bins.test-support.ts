import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { WireMessage } from '@proto/core/framing';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
/** The bins in their published form. They are run directly, so they must be executable. */
export const AGENT = join(PACKAGE, 'dist/agent.js');
export const SHIM = join(PACKAGE, 'dist/shim.js');
export const MAIN = join(PACKAGE, 'dist/main.js');
export const STREAM = ['--output-format=stream-json', '--input-format=stream-json', '--verbose'];

/** The state directory of the agents in these tests. It is in the run's temporary folder, which is deleted at the end of the run. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'sjp-'));

export const TOKEN = 'a-token-of-at-least-16';
export const TOKEN_FILE = join(FOLDER, 'client-token');
writeFileSync(TOKEN_FILE, `${TOKEN}\n`, { mode: 0o600 });

type Variables = Readonly<Record<string, string>>;
export type Child = ReturnType<typeof start>;

/** Starts a program in a clean environment in which unhandled rejections are errors. */
export function start(command: string, args: readonly string[], variables: Variables = {}, cwd = PACKAGE) {
  const env = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: '--unhandled-rejections=strict',
    SJP_HOME: FOLDER,
    ...variables,
  };
  return spawn(command, args, { cwd, env });
}

/**
 * Waits for a program to end, and returns its exit and all its output. Ends the program's input after `input`. If `input` is absent, the input stays
 * open.
 */
export async function outcomeOf(child: Child, input?: string | Uint8Array) {
  // A program that does not read its whole input must not fail the test.
  child.stdin.on('error', () => {});
  if (input !== undefined) child.stdin.end(input);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, code, signal };
}

export async function run(
  bin: string,
  args: readonly string[],
  input: string | Uint8Array = '',
  variables?: Variables,
) {
  const { stdout, stderr, code } = await outcomeOf(start(bin, args, variables), input);
  return { stdout, stderr, code };
}

export function messagesIn(stdout: string): readonly WireMessage[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as WireMessage);
}

export function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

export function prompt(content: unknown, members: object = {}): string {
  return line({ type: 'user', message: { role: 'user', content }, ...members });
}

export function request(subtype: string, members: object = {}): string {
  return line({ type: 'control_request', request_id: '1', request: { subtype, ...members } });
}

/** Later lines are not read. */
export async function readUntil(child: Child, wanted: string): Promise<string> {
  let seen = '';
  for (;;) {
    const at = seen.indexOf(wanted);
    const end = at === -1 ? -1 : seen.indexOf('\n', at);
    if (end !== -1) {
      child.stdout.unshift(seen.slice(end + 1));
      return seen.slice(0, end + 1);
    }
    const chunk = child.stdout.read() as Buffer | null;
    if (chunk !== null) seen += chunk.toString();
    else if (child.stdout.readableEnded) throw new Error(`the output ended without ${wanted}: ${seen}`);
    else {
      const leaving = new AbortController();
      const events = ['readable', 'end'].map((event) => once(child.stdout, event, { signal: leaving.signal }));
      await Promise.race(events);
      leaving.abort();
      await Promise.allSettled(events);
    }
  }
}

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The file cannot be started, because its interpreter does not exist. */
export function brokenProgram(): string {
  const path = join(FOLDER, `broken-agent-${crypto.randomUUID()}`);
  writeFileSync(path, '#!/no/such/interpreter\n');
  chmodSync(path, 0o755);
  return path;
}
