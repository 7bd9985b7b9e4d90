/** Checks that the files and headings which the documents link to exist. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';
import { documents, proseOf, ROOT } from './documents.ts';

test('the search finds documents', () => {
  expect(documents.map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'docs/concepts.md']));
});

/** The links of a document that lead to a file or a heading of this repository. */
function linksOf(text: string): { readonly file: string; readonly anchor: string | undefined }[] {
  return Array.from(proseOf(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g), ([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#');
      return { file, anchor };
    });
}

/** The anchors of a document as GitHub makes them: one from each heading, with a number appended if the heading is repeated. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set(Array.from(text.matchAll(/<a (?:id|name)="([^"]+)"/g), ([, id = '']) => id));
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const shown = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll('`', '')
      .trim();
    const anchor = shown
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    anchors.add(times === 0 ? anchor : `${anchor}-${times}`);
  }
  return anchors;
}

test.each(documents)('each link of $name leads to a file that exists', ({ path, text }) => {
  const missing = linksOf(text).filter(({ file }) => file !== '' && !existsSync(join(dirname(path), file)));
  expect(missing).toEqual([]);
});

test.each(documents)('each anchor that $name links to is a heading', ({ path, text }) => {
  const missing = linksOf(text).filter(({ file, anchor }) => {
    if (anchor === undefined || !(file === '' || file.endsWith('.md'))) return false;
    const target = file === '' ? text : readFileSync(join(dirname(path), file), 'utf8');
    return !anchorsOf(target).has(decodeURIComponent(anchor));
  });
  expect(missing).toEqual([]);
});

test('a heading that no document has is found missing', () => {
  expect(anchorsOf('# One `two`: three\n## Same\n## Same\n')).toEqual(new Set(['one-two-three', 'same', 'same-1']));
});

test.each(documents)('each file of ours that $name names exists', ({ text }) => {
  const named = Array.from(
    proseOf(text).matchAll(/`((?:packages|tests|scripts|bench)\/[\w./-]+\.(?:ts|mjs|json|md))`/g),
    ([, file]) => file ?? '',
  );
  // The page about a new backend names the files that its reader will write.
  expect(named.filter((file) => !file.includes('acme') && !existsSync(join(ROOT, file)))).toEqual([]);
});

describe('docs/architecture.md', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  test('names files with a path that exists', () => {
    const named = Array.from(text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g), ([, path = '']) => path);
    expect(named.length).toBeGreaterThan(8);
    // Without a shelf: `core/src/...`.
    const shelves = [...new Set(['', ...packageFolders().map((folder) => dirname(folder))])];
    const isThere = (path: string) => shelves.some((shelf) => existsSync(join(ROOT, shelf, path)));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});
