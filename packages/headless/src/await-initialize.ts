import type { Readable } from 'node:stream';
import { parseLine } from '@proto/core/framing';
import type { HeadlessOptions } from './flags/options.ts';
import { MAX_LINE_BYTES } from './serve.ts';
import type { MissingSession } from './sessions/opened-session.ts';

const NEWLINE = 0x0a;

/**
 * For `--await-initialize`, checks that the first line of the input is the host's `initialize` request. The line stays in the input. Returns the
 * reason why the session cannot begin, or `undefined` if the line is `initialize` or the flag is absent.
 */
export async function refuseUninitialized(
  { awaitInitialize }: HeadlessOptions,
  stdin: Readable,
): Promise<MissingSession | undefined> {
  if (awaitInitialize !== true) return undefined;
  const { message } = parseLine(await peekLine(stdin, MAX_LINE_BYTES));
  const { subtype } = Object(message?.['request']) as { readonly subtype?: unknown };
  if (message?.type === 'control_request' && subtype === 'initialize') return undefined;
  return {
    missing:
      'With --await-initialize the first line of the input must be a control_request with the subtype "initialize"',
    startupFailure: 'initialize_not_first',
  };
}

/** Puts everything that was read back into the input. Returns an empty string if the input ends before the line end. */
function peekLine(stdin: Readable, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    function stop(): void {
      stdin.off('readable', read).off('end', stop).off('close', stop).off('error', fail);
      const all = Buffer.concat(chunks);
      if (all.length > 0 && !stdin.readableEnded && !stdin.destroyed) stdin.unshift(all);
      const end = all.indexOf(NEWLINE);
      // The input ended in the middle of the line.
      resolve(all.toString('utf8', 0, Math.max(end, 0)));
    }
    function fail(error: Error): void {
      stdin.off('readable', read).off('end', stop).off('close', stop);
      reject(error);
    }
    function read(): void {
      for (let chunk = stdin.read() as Buffer | null; chunk !== null; chunk = stdin.read() as Buffer | null) {
        chunks.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (chunk.includes('\n') || bytes > maxBytes) return stop();
      }
    }
    stdin.on('readable', read).once('end', stop).once('close', stop).once('error', fail);
    if (stdin.destroyed || stdin.readableEnded) stop();
  });
}
