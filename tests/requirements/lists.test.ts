/** Tests the two lists of what the tests decide: the requirements of spec/, and the promises of docs/promises.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { workspaceFolders } from '../workspace.ts';

const { readList } = await import(new URL('../../scripts/requirements/list.mjs', import.meta.url).href);
const { readPromises } = await import(new URL('../../scripts/spec/promises.mjs', import.meta.url).href);
const root = fileURLToPath(new URL('../..', import.meta.url));
const markdown = readFileSync(join(root, 'docs/promises.md'), 'utf8');
const list: readonly { readonly id: string; readonly isPromise: boolean; readonly isPlanned: boolean }[] = readList();

test('the ids of both lists are in form, and none occurs twice', () => {
  const ids = list.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, isPromise } of list) expect(id).toMatch(isPromise ? /^[A-Z]{4,}-[1-9]\d*$/ : /^[A-Z]{3}-[1-9]\d*$/);
  expect(readPromises(markdown).problems).toEqual([]);
});

test('each promise is cited by a test, unless it is planned', () => {
  const cited = new Set(
    testFiles().flatMap((file) => readFileSync(file, 'utf8').match(/(?<=')[A-Z]+-\d+(?=')/g) ?? []),
  );
  const promises = list.filter(({ isPromise }) => isPromise);
  expect(promises.filter(({ id, isPlanned }) => cited.has(id) === isPlanned).map(({ id }) => id)).toEqual([]);
});

test('each sentence of the promises is unique, and speaks only of this library', () => {
  const sentences = readPromises(markdown).promises.map(({ text }: { readonly text: string }) => text);
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(markdown).not.toMatch(/\b(?:seeds?|pains?|SDK|vendor)\b/i);
});

describe('a promise is refused', () => {
  const problemsOf = (text: string) =>
    readPromises(text).problems.map(({ line, text: why }: { line: number; text: string }) => `${line}: ${why}`);
  const page = (...promises: readonly string[]) => `# Promises\n\n## Queues\n\n${promises.join('\n\n')}\n`;

  test.each([
    ['if its form is wrong', page('**QUEUE-1** One.'), '5: A promise has the form'],
    ['with a mark other than planned', page('**QUEUE-1** (host): One.'), '5: QUEUE-1: the only mark'],
    ['with a prefix that a section may have', page('**CTL-1**: One.'), '5: CTL-1: the prefix'],
    ['without a full stop', page('**QUEUE-1**: One'), '5: QUEUE-1: a promise ends'],
    ['if its id is used twice', page('**QUEUE-1**: One.', '**QUEUE-1**: Two.'), '7: The id QUEUE-1'],
    ['with a second prefix of its subject', page('**QUEUE-1**: One.', '**LINE-1**: Two.'), '7: LINE-1: each subject'],
    [
      'with the prefix of another subject',
      page('**QUEUE-1**: One.', '## Lines', '**QUEUE-2**: Two.'),
      '9: QUEUE-2: each',
    ],
  ])('%s', (_, text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
  });

  test('only then', () => {
    const { promises, problems } = readPromises(page('**QUEUE-1**: One.', 'Text.', '**QUEUE-2** (planned): Two.'));
    expect(problems).toEqual([]);
    expect(promises).toEqual([
      { id: 'QUEUE-1', subject: 'Queues', text: 'One.', isPlanned: false },
      { id: 'QUEUE-2', subject: 'Queues', text: 'Two.', isPlanned: true },
    ]);
  });
});

/** The TypeScript files of the workspace that may cite ids, without those of this folder. */
function testFiles(): readonly string[] {
  const isLeftOut = (name: string) => ['node_modules', 'dist', 'requirements'].includes(name);
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isLeftOut(entry.name) ? [] : filesIn(path);
      return path.endsWith('.ts') ? [path] : [];
    });
  return workspaceFolders()
    .flatMap((folder) => filesIn(join(root, folder)))
    .filter((path) => readFileSync(path, 'utf8').includes('verifies'));
}
