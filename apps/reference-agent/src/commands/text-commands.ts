import { type Command, secondsOf } from '../actions.ts';
import { pause } from '../pause.ts';
import { splitWords } from '../turns/blocks.ts';

/** `/echo TEXT`: answers with TEXT. */
export const echo: Command = (text) => [{ kind: 'say', pieces: splitWords(text) }];

/** Answers a line that is not a command by repeating it. */
export const say: Command = (line) => [
  { kind: 'say', pieces: splitWords(line === '' ? 'You said nothing.' : `You said: ${line}`) },
];

/** `/think TEXT`: sends TEXT as a thinking block, and then reports that it has done this. */
export const think: Command = (text) => [
  { kind: 'think', text },
  { kind: 'say', pieces: ['I thought about it.'] },
];

/** Texts that programs often misread: separators that do not end a line, surrogate pairs, combining marks, directions, control characters. */
const PIECES = [
  'line\u2028paragraph\u2029 ',
  'ä é ñ 漢字 ',
  '😀 👩‍👩‍👧‍👦 🇪🇺 ',
  'e\u0301 a\u0308 ',
  '\u202Eright to left\u202C שלום ',
  '\uFEFF\u200B\u00AD\u0000\u001B\u007F\u0085 ',
  '𝒳 \\ " / \b\f\n\r\t end',
];

/** `/unicode`: answers with a text that contains everything that programs often misread. The text is always the same. */
export const unicode: Command = () => [{ kind: 'say', pieces: PIECES }];

// The limit of one answer, which is one line on the wire.
const MAX_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** `/big BYTES`: answers with that many bytes. */
export const big: Command = (argument, signal) => {
  const bytes = Number(argument);
  if (!/^\d+$/.test(argument) || bytes > MAX_BYTES) {
    throw new Error(`/big needs a number of bytes up to ${MAX_BYTES}, not '${argument}'`);
  }
  return [{ kind: 'say', pieces: pieces(bytes, signal) }];
};

async function* pieces(bytes: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  for (let left = bytes; left > 0 && !signal.aborted; left -= PIECE_BYTES) {
    yield 'x'.repeat(Math.min(left, PIECE_BYTES));
    // An interrupt can arrive here.
    await pause(0, signal);
  }
}

// Short enough to show progress, long enough not to flood the host.
const PIECE_MS = 20;

/** `/slow SECONDS`: streams text for that many seconds. */
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
