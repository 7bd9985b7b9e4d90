import { appendFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import type { HeadlessOptions } from './options.ts';

/** What is told of each message that is read: its type, and nothing of its content. */
export type Diagnostics = (event: { readonly type: string }) => void;

/** Where the debugging flags want a line for each message: a file, stderr, or nowhere. */
export function createDiagnostics(options: HeadlessOptions, stderr: Writable): Diagnostics | undefined {
  const { debug, debugFile, debugToStderr } = options;
  if (debugFile !== undefined) {
    // A file that cannot be written stops the start, not a session in its middle.
    appendFileSync(debugFile, '');
    return ({ type }) => appendFileSync(debugFile, line(type));
  }
  if (debug !== undefined || debugToStderr) return ({ type }) => void stderr.write(line(type));
  return undefined;
}

function line(type: string): string {
  return `${new Date().toISOString()} [DEBUG] read a message of type ${JSON.stringify(type)}\n`;
}
