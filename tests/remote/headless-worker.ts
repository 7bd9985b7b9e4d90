import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type HeadlessEnvironment, runHeadless } from '@proto/headless';

/** An agent executable that runs in this process, and its standard streams. */
export interface HeadlessWorker {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly signals: EventEmitter;
  readonly written: { stdout: string; stderr: string };
  readonly code: Promise<number>;
}

/** Starts an agent executable as the worker of a session, with the flags and variables that name the session. */
export function startWorker(
  url: string,
  token: string | undefined,
  environment: Parameters<typeof startAgent>[1],
): HeadlessWorker {
  const argv = ['--sdk-url', url, ...(environment.process?.argv ?? [])];
  return startAgent(token, { ...environment, process: { ...environment.process, argv } });
}

/** Starts an agent executable with a token. */
export function startAgent(
  token: string | undefined,
  environment: Partial<HeadlessEnvironment> & Pick<HeadlessEnvironment, 'runTurn'>,
): HeadlessWorker {
  const { argv = [], env = {}, ...streams } = environment.process ?? {};
  const home = mkdtempSync(join(tmpdir(), 'worker-'));
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const written = { stdout: '', stderr: '' };
  stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const signals = new EventEmitter();
  const variables = { SJP_HOME: home, ...(token !== undefined && { CLAUDE_CODE_SESSION_ACCESS_TOKEN: token }), ...env };
  const code = new Promise<number>((exit) => {
    void runHeadless({
      name: 'test',
      ...environment,
      process: {
        userId: 1000,
        stdin,
        stdout,
        stderr,
        signals,
        exit,
        ...streams,
        argv: ['-p', ...argv],
        env: variables,
      },
    });
  });
  void code.then(() => rmSync(home, { recursive: true, force: true }));
  return { stdin, stdout, signals, written, code };
}
