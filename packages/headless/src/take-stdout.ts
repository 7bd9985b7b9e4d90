import { Console } from 'node:console';
import type { Writable } from 'node:stream';

/**
 * Sends what is logged to stderr, so that stdout carries nothing but the output of the session: one line between the frames, from
 * whatever library, ends a host. The console itself is changed, because modules may hold it. Gives what undoes it.
 */
export function takeStdout(stderr: Writable, target: Console = console): () => void {
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
