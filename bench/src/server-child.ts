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
  const { child, message } = await startProcess<number>(...args);
  return { child, port: message };
}

/** Starts a case in its own process. Fulfils with the first message of the case. */
export async function startProcess<Message>(
  ...args: readonly string[]
): Promise<{ readonly child: ChildProcess; readonly message: Message }> {
  const child = spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${args.join(' ')} ended before it was ready`);
  });
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [Message];
  // From now on, the end of the child process is expected.
  failed.catch(() => {});
  return { child, message };
}

/** Asks a case for its CPU time so far, in microseconds. */
export async function cpuOf(child: ChildProcess): Promise<number> {
  const reported = once(child, 'message') as Promise<[number]>;
  child.send('cpu');
  return (await reported)[0];
}
