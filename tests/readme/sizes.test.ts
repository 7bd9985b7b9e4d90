/** The sizes of our imports in documents: each comes from scripts/size/accepted.json, which `pnpm check size` compares with the built files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, ROOT } from './documents.ts';

interface Stated {
  readonly name: string;
  readonly bytes: number;
  readonly limit: number;
}
const { withSizes } = (await import(new URL('../../scripts/size/stated-sizes.mjs', import.meta.url).href)) as {
  withSizes(text: string, sizes: readonly Stated[]): string;
};
const accepted = JSON.parse(readFileSync(join(ROOT, 'scripts/size/accepted.json'), 'utf8')) as Record<string, number>;
const sizes = Object.entries(accepted).map(([name, bytes]) => ({ name, bytes, limit: Infinity }));

/** Records of comparisons, which keep what was measured then, and the page of all benchmarks. */
const RECORDS = /^docs\/(?:decisions\/|benchmarks-all\.md)|CHANGELOG/;
/** Sizes that are not those of an import: a limit, and another program. */
const OTHERS = [/of more than 16 kB, the first part/, /has 745 kB of scripts/];

test.each(documents)('$name states the accepted size of each import', ({ name, text }) => {
  // The limits in docs/benchmarks-all.md come from the script, and `pnpm check size` compares them.
  if (name === 'docs/benchmarks-all.md') return;
  expect(withSizes(text, sizes)).toBe(text);
});

test('a size without a mark, which nothing keeps up to date, is stated nowhere', () => {
  const found = documents
    .filter(({ name }) => !RECORDS.test(name))
    .flatMap(({ name, text }) => text.split('\n').map((line) => ({ name, line })))
    .filter(({ line }) => {
      const ours = OTHERS.reduce((rest, other) => rest.replace(other, ''), line);
      return /\d kB(?!<!-- size: )/.test(ours);
    })
    .map(({ name, line }) => `${name}: ${line}`);
  expect(found).toEqual([]);
});

test('a stale size is replaced, in a text and in the table of benchmarks', () => {
  const one = [{ name: 'a: b', bytes: 1449, limit: 1400 }];
  const text =
    'It has 1.1 kB<!-- size: a: b -->.\n| a: b |  |  |  | 1100 bytes | gzip | <= 1000 | met |\n| c |  |  |  | 7 bytes | gzip | <= 8 | met |\n';
  expect(withSizes(text, one)).toBe(
    'It has 1.4 kB<!-- size: a: b -->.\n| a: b |  |  |  | 1449 bytes | gzip | <= 1400 | miss |\n| c |  |  |  | 7 bytes | gzip | <= 8 | met |\n',
  );
  expect(() => withSizes('1 kB<!-- size: nothing -->', one)).toThrow('"nothing"');
});
