import { pause } from '../pause.ts';

// Short enough to look alive, long enough not to flood.
const PIECE_MS = 20;

/** `/slow SECONDS`: streams text all that time. */
export async function* slow(argument: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const seconds = Number(argument);
  if (!(seconds >= 0 && Number.isFinite(seconds)))
    throw new Error(`/slow takes a number of seconds, not '${argument}'`);
  const until = performance.now() + seconds * 1000;
  for (let piece = 1; performance.now() < until; piece++) {
    yield `${piece} `;
    await pause(Math.min(PIECE_MS, until - performance.now()), signal);
    if (signal.aborted) return;
  }
  yield 'done';
}
