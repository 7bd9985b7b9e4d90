import type { Command } from '../action.ts';
import { pause } from '../pause.ts';
import { secondsOf } from './seconds.ts';

// Short enough to look alive, long enough not to flood.
const PIECE_MS = 20;

/** `/slow SECONDS`: streams text all that time. */
export const slow: Command = (argument, signal) => {
  const seconds = secondsOf('/slow', argument);
  return [{ kind: 'say', pieces: count(seconds, signal) }];
};

async function* count(seconds: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const until = performance.now() + seconds * 1000;
  for (let piece = 1; performance.now() < until; piece++) {
    yield `${piece} `;
    await pause(Math.min(PIECE_MS, until - performance.now()), signal);
    if (signal.aborted) return;
  }
  yield 'done';
}
