import { byteLines, chunks } from './fixtures.ts';
import { limit2, oursHere } from './framers.ts';
import { type Comparison, compare } from './measure.ts';

/** Compares framing and parsing with the limit, for lines in chunks of a size. Size 0: one line per chunk. */
export function framerRatio(lines: readonly string[], chunkBytes: number): Promise<Comparison<'LIMIT2' | 'ours'>> {
  const candidates = { LIMIT2: limit2(byteLines(lines)), ours: oursHere(chunks(lines, chunkBytes)) };
  return compare('LIMIT2', candidates, lines.length);
}
