/** Where a part of a text begins and ends, in UTF-16 units. */
export type TextRange = readonly [start: number, end: number];

const IS_KEY_CODE = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=$~-') {
  IS_KEY_CODE[character.charCodeAt(0)] = 1;
}

/**
 * A run consists of letters, digits and `_.+/=$~-`. Most texts contain few runs of at least `minLength` characters, so only these runs are compared
 * with the patterns for keys, which are much slower than this loop.
 */
export function keyRuns(text: string, minLength: number): readonly TextRange[] {
  const runs: TextRange[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && IS_KEY_CODE[code] === 1) continue;
    if (at - start >= minLength) runs.push([start, at]);
    start = at + 1;
  }
  if (text.length - start >= minLength) runs.push([start, text.length]);
  return runs;
}
