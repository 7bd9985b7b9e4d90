import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonCursor, JsonCursorError, type PassedValue } from './json-cursor.ts';

function passed(cursor: JsonCursor): PassedValue {
  for (;;) {
    const value = cursor.pass();
    if (value !== undefined) return value;
  }
}

/** The members of the object in a text, each with the text of its value. */
function membersOf(text: string): [string, string][] {
  const cursor = new JsonCursor(text);
  const members: [string, string][] = [];
  if (!cursor.enterObject()) throw new JsonCursorError('no object');
  for (let name = cursor.nextName(); name !== undefined; name = cursor.nextName()) {
    const { start, end } = passed(cursor);
    members.push([name, text.slice(start, end)]);
  }
  cursor.end();
  return members;
}

/** The items of the list in a text. */
function itemsOf(text: string): string[] {
  const cursor = new JsonCursor(text);
  const items: string[] = [];
  if (!cursor.enterList()) throw new JsonCursorError('no list');
  while (cursor.nextItem()) {
    const { start, end } = passed(cursor);
    items.push(text.slice(start, end));
  }
  cursor.end();
  return items;
}

/** Another spelling of the same value, with escaped characters and blanks in between. */
function spelled(value: unknown, escapes: () => boolean, blank: () => string): string {
  const string = (text: string) => {
    const units = text
      .split('')
      .map((unit) =>
        escapes() || unit === '"' || unit === '\\' || unit < ' '
          ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
          : unit,
      );
    return `"${units.join('')}"`;
  };
  const inner = (part: unknown): string => {
    if (typeof part === 'string') return string(part);
    if (Array.isArray(part)) return `[${part.map((item) => blank() + inner(item) + blank()).join()}]`;
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const members = Object.entries(part).map(
      ([name, member]) => `${blank()}${string(name)}${blank()}:${inner(member)}`,
    );
    return `{${members.join()}${blank()}}`;
  };
  return blank() + inner(value) + blank();
}

const spelling = fc
  .tuple(fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.constantFrom('', ' ', '\n', '\t\r ')))
  .map(
    ([escapes, blanks]) =>
      (value: unknown) =>
        spelled(
          value,
          () => escapes.next().value as boolean,
          () => blanks.next().value as string,
        ),
  );

test('property: JsonCursor finds the members that JSON.parse finds, in any spelling', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spelling, (value, spell) => {
      const text = spell(value);
      const found = membersOf(text).map(([name, json]) => [name, JSON.parse(json) as unknown]);
      expect(Object.fromEntries(found)).toEqual(JSON.parse(text));
      expect(found).toHaveLength(Object.keys(value).length);
    }),
  );
});

test('property: JsonCursor finds the items that JSON.parse finds', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), spelling, (value, spell) => {
      const text = spell(value);
      expect(itemsOf(text).map((json) => JSON.parse(json) as unknown)).toEqual(JSON.parse(text));
    }),
  );
});

test('property: a text that JSON.parse refuses fails in the walk or in the parsing of a passed value', () => {
  const pieces = fc.array(
    fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '1', 'tru', 'null', ' ', '\\', '\u00a0'),
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const text = `{"m":${parts.join('')}}`;
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      let isTaken = true;
      try {
        for (const [, json] of membersOf(text)) JSON.parse(json);
      } catch {
        isTaken = false;
      }
      expect(isTaken).toBe(isJson);
    }),
    { numRuns: 5000 },
  );
});

test('a name that occurs twice is returned twice, however it is spelled', () => {
  expect(membersOf('{"events":1,"\\u0065vents":2}')).toEqual([
    ['events', '1'],
    ['events', '2'],
  ]);
});

test('pass counts depth, members and values, and never too few', () => {
  const count = (text: string) => passed(new JsonCursor(text));
  expect(count('"a,[{:"')).toMatchObject({ depth: 0, members: 0, values: 1 });
  expect(count('[1,[2,{"a":3}]]')).toMatchObject({ depth: 3, members: 1 });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      let [values, members] = [0, 0];
      JSON.stringify(value, (_, part: unknown) => {
        values++;
        if (typeof part === 'object' && part !== null && !Array.isArray(part)) members += Object.keys(part).length;
        return part;
      });
      const counted = count(JSON.stringify(value));
      expect(counted.values).toBeGreaterThanOrEqual(values);
      expect(counted.members).toBe(members);
    }),
  );
});

test('pass takes several steps for a long value', () => {
  const text = `{"a":[${'1,'.repeat(1_000_000)}1]}`;
  const cursor = new JsonCursor(text);
  cursor.enterObject();
  cursor.nextName();
  let steps = 1;
  while (cursor.pass() === undefined) steps++;
  expect(steps).toBeGreaterThan(4);
  expect(cursor.nextName()).toBeUndefined();
});

test('pass counts five million levels without recursion', () => {
  const levels = 5_000_000;
  expect(passed(new JsonCursor('['.repeat(levels) + ']'.repeat(levels))).depth).toBe(levels);
});

test.each([
  '',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '{,}',
  '{"a":1 "b":2}',
  '{"a":1}}',
  '{a:1}',
  "{'a':1}",
  '{"\\x":1}',
])('JsonCursor refuses %s as an object', (text) => {
  expect(() => membersOf(text)).toThrow(JsonCursorError);
});
