import type { Choices } from './choices.ts';

/** Parts of texts that a program may read, cut, escape or compare wrongly. */
const PIECES = [
  '\u0000',
  '\u0001',
  '\u001F',
  '\u007F',
  '\u0085',
  '\u00A0',
  '\u200D',
  '\u2028',
  '\u2029',
  '\uFEFF',
  '\t',
  '\n',
  '\r\n',
  ' ',
  '"',
  "'",
  '`',
  '\\',
  '\\u0041',
  '/',
  '%00',
  '%s',
  '&amp;',
  '<b>',
  '{}',
  '[',
  '}',
  ',',
  ':',
  '__',
  '0',
  '-1',
  '1e3',
  'null',
  'true',
  'undefined',
  '__proto__',
  'constructor',
  'a',
  'A',
  'ß',
  'İ',
  'é',
  'e\u0301',
  'שלום',
  '漢字',
  '\u{1F600}',
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
];
const NAMES = ['a', 'A', '', 'type', 'uuid', 'request_id', 'session_id', 'length', 'constructor', 'toString', 'ä b'];
const NUMBERS = [0, -1, 1.5, 1e21, 1e-7, 2 ** 31, 2 ** 53 - 1];
const DEPTH = 3;

const OBJECT = '{"type":"keep_alive"}';

/** Lines that are not JSON, although some readers accept a part of them. */
export const BAD_JSON = [
  'this is not JSON',
  OBJECT + OBJECT,
  `${OBJECT} ${OBJECT}`,
  `${OBJECT},`,
  `${OBJECT}}`,
  `${OBJECT} x`,
  `${OBJECT}\u0000`,
  '{"type":"keep_alive"',
  '{"type":"keep_alive",}',
  "{'type':'keep_alive'}",
  '{type:"keep_alive"}',
  '{"type":"keep_alive","a":01}',
  '{"type":"keep_alive","a":.5}',
  '{"type":"keep_alive","a":NaN}',
  '{"type":"keep_alive","a":tru}',
  '{"type":"keep_alive","a":"\t"}',
  '{"type":"keep_alive","a":"\\x41"}',
  '{"type":"keep_alive"/* a comment */}',
  '[{"type":"keep_alive"}',
  '"keep_alive',
];

/** A text of up to eight unusual parts, without white space at its ends, which programs may remove. */
export function oddText(choices: Choices): string {
  const pieces = Array.from({ length: 1 + choices.below(8) }, () => choices.oneOf(PIECES));
  return `(${pieces.join('')})`;
}

/** Any value that JSON has. */
export function oddValue(choices: Choices, depth = 0): unknown {
  const kind = choices.below(depth < DEPTH ? 9 : 5);
  if (kind < 2) return oddText(choices);
  if (kind < 3) return choices.oneOf([null, true, false, '']);
  if (kind < 5) return choices.oneOf(NUMBERS);
  const values = Array.from({ length: choices.below(4) }, () => oddValue(choices, depth + 1));
  if (kind < 7) return values;
  return Object.fromEntries(values.map((value) => [choices.oneOf(NAMES), value]));
}
