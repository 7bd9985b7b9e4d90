import type { Command } from '../action.ts';
import { pause } from '../pause.ts';

// Of one answer, which is one line on the wire.
const MAX_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** `/big BYTES`: answers that many bytes. */
export const big: Command = (argument, signal) => {
  const bytes = Number(argument);
  if (!/^\d+$/.test(argument) || bytes > MAX_BYTES) {
    throw new Error(`/big takes a number of bytes up to ${MAX_BYTES}, not '${argument}'`);
  }
  return [{ kind: 'say', pieces: pieces(bytes, signal) }];
};

async function* pieces(bytes: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  for (let left = bytes; left > 0 && !signal.aborted; left -= PIECE_BYTES) {
    yield 'x'.repeat(Math.min(left, PIECE_BYTES));
    // Lets an interrupt in.
    await pause(0, signal);
  }
}
