import { expect, test } from 'vitest';
import { splitAtNul } from './split-at-nul.ts';

test.each([
  ['{"a":1}', ['{"a":1}']],
  ['', ['']],
  ['\0\0\0{"a":1}', ['{"a":1}']],
  ['{"a":1}\0\0', ['{"a":1}']],
  ['{"a":1}\0\0{"b":"é"}\0{"c":3}', ['{"a":1}', '{"b":"é"}', '{"c":3}']],
  ['{"torn":\0\0\0{"b":2}', ['{"torn":', '{"b":2}']],
  ['\0\0 \0\r', []],
])('the lines in %j are %j', (line, lines) => {
  expect(splitAtNul(line)).toEqual(lines);
});
