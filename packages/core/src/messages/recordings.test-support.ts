import { readdirSync, readFileSync } from 'node:fs';

import type { Direction } from './find-kind.ts';

export interface Recorded {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly direction: Direction;
  readonly text: string;
}

const folder = new URL('../../testdata/', import.meta.url);
const rowsOf = (path: string): string[] => readFileSync(new URL(path, folder), 'utf8').trimEnd().split('\n');

export const recordings: readonly Recorded[] = readdirSync(new URL('transcripts/', folder)).flatMap((file) =>
  rowsOf(`transcripts/${file}`).map((row, index) => {
    const { dir, line } = JSON.parse(row) as { readonly dir: Direction; readonly line: string };
    return { file, line: index + 1, direction: dir, text: line };
  }),
);

export type NotKnown = { readonly file: string; readonly line: number; readonly why: string } & (
  | { readonly outcome: 'malformed'; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly name: string }
  | { readonly outcome: 'invalid'; readonly paths: readonly string[] }
);

export const notKnown: readonly NotKnown[] = rowsOf('transcripts-not-known.ndjson').map(
  (row) => JSON.parse(row) as NotKnown,
);
