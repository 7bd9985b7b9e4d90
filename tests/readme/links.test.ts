/** Checks that the files which the documents link to exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.turbo', '.changeset', 'testdata', 'fixtures']);

const documents = markdownIn(ROOT);

test('the search finds documents', () => {
  expect(documents.map((path) => relative(ROOT, path))).toEqual(
    expect.arrayContaining(['README.md', 'docs/concepts.md']),
  );
});

test.each(documents.map((path) => [relative(ROOT, path), path]))(
  'each link of %s leads to a file that exists',
  (_, path) => {
    const text = readFileSync(path, 'utf8').replaceAll(/```.*?```/gs, '');
    const links = Array.from(text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, link]) => link as string);
    const missing = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(path), link)));
    expect(missing).toEqual([]);
  },
);

test.each(documents.map((path) => [relative(ROOT, path), path]))(
  'each file of ours that %s names exists',
  (_, path) => {
    const text = readFileSync(path, 'utf8').replaceAll(/```.*?```/gs, '');
    const named = Array.from(
      text.matchAll(/`((?:packages|tests|scripts|bench)\/[\w./-]+\.(?:ts|mjs|json|md))`/g),
      ([, file]) => file ?? '',
    );
    // The page about a new backend names the files that its reader will write.
    expect(named.filter((file) => !file.includes('acme') && !existsSync(join(ROOT, file)))).toEqual([]);
  },
);

test('each source file that the architecture document names exists', () => {
  const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const named = Array.from(text.matchAll(/`([a-z-]+\/src\/[^`]+)`/g), ([, path]) => path as string);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((path) => !existsSync(join(ROOT, 'packages', path)))).toEqual([]);
});

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(basename(path)) ? [] : markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
