import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import type { HeadlessEnvironment } from './environment.ts';
import type { HeadlessRunTurn } from './flags/options.ts';
import { runHeadless } from './run-headless.ts';

/** The state directory of the agents in these tests. It is in the run's temporary folder, which is deleted at the end of the run. */
export const SJP_HOME = mkdtempSync(join(tmpdir(), 'headless-'));

export const STREAM = ['--output-format=stream-json', '--input-format=stream-json', '--verbose'];

/** A turn that answers `ok`; it throws for the prompt `fail`. */
export const answer: HeadlessRunTurn = async function* ({ prompt }) {
  if (prompt === 'fail') throw new Error('no');
  yield assistant('ok');
};

export function assistant(text: string): WireMessage {
  const message = { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] };
  return { type: 'assistant', message, parent_tool_use_id: null };
}

export function user(content: string, role = 'user'): string {
  return `${JSON.stringify({ type: 'user', message: { role, content } })}\n`;
}

export function start(argv: readonly string[], environment: Partial<HeadlessEnvironment> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals = new EventEmitter();
  const written = { stdout: '', stderr: '' };
  // Collected by listeners: invalid input ends the output early, which a stream consumer would report as an error.
  stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const code = new Promise<number>((exit) => {
    const env = { SJP_HOME, ...environment.process?.env };
    const streams = { stdin, stdout, stderr, signals };
    // A user id other than root, even if the tests run as root.
    const userId = 1000;
    void runHeadless({
      runTurn: answer,
      name: 'test',
      ...environment,
      process: { userId, argv, exit, ...streams, ...environment.process, env },
    });
  });
  return { stdin, stdout, stderr, signals, written, code };
}

export async function run(argv: readonly string[], input = '', environment: Partial<HeadlessEnvironment> = {}) {
  const { stdin, code, written } = start(argv, environment);
  stdin.end(input);
  return { code: await code, ...written };
}

export function messagesIn(stdout: string): readonly WireMessage[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as WireMessage);
}

export function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
