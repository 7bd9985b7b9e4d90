import { Console } from 'node:console';
import type { Writable } from 'node:stream';

/** What writes to stdout in a process. */
export interface StdoutHolder {
  readonly console: Console;
  readonly process: { readonly stdout: Writable };
}

/**
 * Sends what is logged or written to stdout to stderr, so that stdout carries nothing but the output of the session: one line
 * between the frames, from whatever library, ends a host. Whoever took `process.stdout` before keeps it. The console itself is
 * changed, because modules may hold it. Gives what undoes it.
 */
export function redirectStdout(stderr: Writable, holder: StdoutHolder = globalThis): () => void {
  const giveBackConsole = redirectConsole(stderr, holder.console);
  const stdout = Object.getOwnPropertyDescriptor(holder.process, 'stdout');
  Object.defineProperty(holder.process, 'stdout', { configurable: true, enumerable: true, get: () => stderr });
  return () => {
    giveBackConsole();
    if (stdout !== undefined) Object.defineProperty(holder.process, 'stdout', stdout);
  };
}

function redirectConsole(stderr: Writable, target: Console): () => void {
  const replacement = new Console({ stdout: stderr, stderr });
  const methods = target as unknown as Record<string, unknown>;
  const replacements = replacement as unknown as Record<string, unknown>;
  const originals: [name: string, method: unknown][] = [];
  for (const name of Object.keys(methods)) {
    if (typeof methods[name] !== 'function' || typeof replacements[name] !== 'function') continue;
    originals.push([name, methods[name]]);
    methods[name] = replacements[name];
  }
  return () => {
    for (const [name, method] of originals) methods[name] = method;
  };
}
