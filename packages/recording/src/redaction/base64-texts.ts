import { keyRuns, type TextRange } from './key-runs.ts';

const PIECE = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const MIN_PIECE_LENGTH = 16;
const MIN_LENGTH = 24;
// Longer base64 is treated as a file. The beginning of a file shows whether it is a text file.
const MAX_LENGTH = 256 * 1024;
const HEAD_LENGTH = 48;
// Lines of base64 have 60 to 76 characters.
const MIN_LINE_LENGTH = 56;
const GAP = /^(?:\\+[nr]|[\r\n \t])+$/;

/** A base64 part is secret if it contains a secret when decoded, such as a private key or an `.env` file. */
export function base64Secrets(text: string, hasSecret: (decoded: string) => boolean): readonly TextRange[] {
  if (text.length < MIN_LENGTH) return [];
  return runsOf(text).filter(([start, end]) => {
    if (end - start < MIN_LENGTH || end - start > MAX_LENGTH) return false;
    const head = decoded(text.slice(start, Math.min(end, start + HEAD_LENGTH)));
    if (head === undefined || !isText(head.slice(0, -3))) return false;
    const whole = decoded(text.slice(start, end).replaceAll(/\\+[nrt]|\s/g, ''));
    return whole !== undefined && (hasSecret(whole) || /^[\w.@-]{2,64}:[^\s:]{6,128}$/.test(whole));
  });
}

/** Runs in consecutive lines form one run. */
function runsOf(text: string): readonly TextRange[] {
  const runs: [number, number][] = [];
  let lastLength = 0;
  for (const [index, end] of piecesOf(text)) {
    const last = runs.at(-1);
    const gap = last === undefined ? '' : text.slice(last[1], Math.min(index, last[1] + 64));
    if (last !== undefined && lastLength >= MIN_LINE_LENGTH && index - last[1] < 64 && GAP.test(gap)) last[1] = end;
    else runs.push([index, end]);
    lastLength = end - index;
  }
  return runs;
}

/** Yields the runs within a line. The letter of an escaped line end (`\\n`) is not part of a run. */
function* piecesOf(text: string): Generator<TextRange, void> {
  for (const [start, end] of keyRuns(text, MIN_PIECE_LENGTH)) {
    const isEscape = text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '');
    const from = isEscape ? start + 1 : start;
    for (const { 0: piece, index } of text.slice(from, end).matchAll(PIECE)) {
      yield [from + index, from + index + piece.length];
    }
  }
}

function decoded(base64: string): string | undefined {
  const plain = base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const usable = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  try {
    return atob(usable);
  } catch {
    return undefined;
  }
}

function isText(text: string): boolean {
  return text.length > 0 && /^[\t\n\r\u0020-\u007E]*$/.test(text);
}
