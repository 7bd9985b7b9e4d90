import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { parsePrompt } from './parse-prompt.ts';

test.each([
  ['/echo a\n/echo b', [['/echo a'], ['/echo b']]],
  ['some text\nand more\n\n/echo a\nrest', [['some text\nand more'], ['/echo a'], ['rest']]],
  ['/unknown a\n/toString', [['/unknown a\n/toString']]],
  ['/echo a\n/parallel\n/bash b\ntext\n\ntext', [['/echo a'], ['/bash b', 'text', 'text']]],
  ['/parallel', [['']]],
  [' \r\n', [['']]],
])('%j is done in steps', (prompt, steps) => {
  expect(parsePrompt(prompt)).toEqual(steps);
});

test('the documentation lists every command', () => {
  const text = readFileSync(new URL('../../../../docs/reference-agent.md', import.meta.url), 'utf8');
  const listed = text.match(/(?<=`\/)[a-z]+/g) ?? [];
  expect([...new Set(listed)].toSorted()).toEqual([...Object.keys(COMMANDS), 'parallel'].toSorted());
});
