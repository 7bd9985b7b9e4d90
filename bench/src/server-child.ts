import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CASE_SCRIPT } from './fresh-process.ts';

/** A server on this machine in its own process. */
export interface ServerChild {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts a case that reports its port. */
export async function startServer(...args: readonly string[]): Promise<ServerChild> {
  const child = spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}
