import type { Random } from '../../schedules/random.ts';

/** Writes JSON as text. A text can have what no value has: a name that occurs twice, and one name in several spellings. */
export type JsonText = string;

/** Chooses one of several items. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** Returns the items in a random order. */
export function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as Item);
}

/** Writes a string as JSON, with some characters as escapes. Marks are never escaped, so that they can be found. */
export function spelled(random: Random, text: string): JsonText {
  if (MARK.test(text) || random() < 0.6) return JSON.stringify(text);
  return `"${[...text].map((character) => (random() < 0.3 ? escaped(random, character) : plain(character))).join('')}"`;
}

/** Writes a string as JSON, with at least one character as an escape. */
export function disguised(random: Random, text: string): JsonText {
  const at = Math.floor(random() * text.length);
  const rest = (part: string) => JSON.stringify(part).slice(1, -1);
  return `"${rest(text.slice(0, at))}${escaped(random, text[at] ?? 'a')}${rest(text.slice(at + 1))}"`;
}

/** Returns the letters in another case, or letters that become these letters by case folding. */
export function inAnotherCase(random: Random, name: string): string {
  const folded = name.replace('s', '\u017f');
  const forms = [
    name.toUpperCase(),
    (name[0] ?? '').toUpperCase() + name.slice(1),
    ...(folded === name ? [] : [folded]),
  ];
  return pick(random, forms);
}

/** Writes an object of members that are already text. */
export function objectText(random: Random, members: readonly (readonly [JsonText, JsonText])[]): JsonText {
  const blank = () => pick(random, BLANKS);
  return `{${members.map(([name, value]) => `${blank()}${name}${blank()}:${blank()}${value}${blank()}`).join(',')}}`;
}

/** Writes a list of values that are already text. */
export function listText(random: Random, values: readonly JsonText[]): JsonText {
  return `[${values.map((value) => `${pick(random, BLANKS)}${value}${pick(random, BLANKS)}`).join(',')}]`;
}

/** Writes a value in a random spelling with the same meaning. */
export function valueText(random: Random, value: unknown): JsonText {
  if (typeof value === 'string') return spelled(random, value);
  if (Array.isArray(value))
    return listText(
      random,
      value.map((item) => valueText(random, item)),
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => [spelled(random, name), valueText(random, member)] as const,
  );
  return objectText(random, shuffled(random, members));
}

/** Creates a value that the server must ignore: with names that matter in other places, brackets and quotes in texts, and deep nesting. */
export function randomValue(random: Random, depth = 3): unknown {
  if (depth === 0 || random() < 0.4) return pick(random, LEAVES);
  const count = Math.floor(random() * 3);
  if (random() < 0.4) return Array.from({ length: count }, () => randomValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: count }, () => [pick(random, NAMES), randomValue(random, depth - 1)]));
}

/** Matches a mark: nobody may see `illegal`, no agent may see `hidden`, everybody may see `legal`. */
const MARK = /\b(?:illegal|hidden|legal)_\d+_\d+_/;

const BLANKS = ['', '', '', '', ' ', '\t', '\n', '\r\n'];
const NAMES = [
  'type',
  'payload',
  'events',
  'response',
  'request_id',
  'ccr_event',
  'source',
  'a',
  'a"b',
  '',
  '0',
  '\u2028',
];
const LEAVES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1e21,
  1.5e-7,
  9007199254740991,
  '',
  '"',
  '\\',
  '\\"',
  ']}',
  '{"events":[{"payload":',
  '\u2028\u2029',
  '\n',
  '\ud800',
  '\u0000',
  '\ufeff',
  '\u{1f600}',
];

function plain(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}

function escaped(random: Random, character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const hex = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  if (character === '/') return '\\/';
  return random() < 0.3 ? hex.replace(/[a-f]/g, (digit) => digit.toUpperCase()) : hex;
}
