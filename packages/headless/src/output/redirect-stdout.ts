import { Console } from 'node:console';
import type { Writable } from 'node:stream';

/** The parts of a process that write to stdout. */
export interface StdoutHolder {
  readonly console: Console;
  readonly process: { readonly stdout: Writable };
}

/**
 * Redirects console output and writes to `process.stdout` to stderr, so that stdout contains only the output of the session. Hosts fail if stdout
 * contains any other line. Code that stored a reference to `process.stdout` earlier still writes to stdout. The methods of the console are replaced,
 * but not the console itself, because modules may hold a reference to the console. Returns a function that undoes the change.
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
