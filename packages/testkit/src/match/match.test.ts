import { describe, expect, test } from 'vitest';

import { unknownMatchers } from './check-pattern.ts';
import { StepFailure } from '../steps/step-failure.ts';
import { match } from './match.ts';
import { TemplateError, Variables } from './variables.ts';

const fits = (pattern: unknown, value: unknown, variables = new Variables()) => match(pattern, value, variables).ok;
const uuid = '7d444840-9dc0-11d1-b245-5ffdce74fad2';

describe('match', () => {
  test.each([
    ['an object with more members', { a: 1 }, { a: 1, b: 2 }, true],
    ['an object with another value', { a: 1 }, { a: 2 }, false],
    ['an object without the member', { a: 1 }, {}, false],
    ['a member of the prototype', { toString: { $any: true } }, {}, false],
    ['arrays of one length', [1, { a: 1 }], [1, { a: 1, b: 1 }], true],
    ['a longer array', [1], [1, 2], false],
    ['null is not an object', { a: 1 }, null, false],
    ['$any of nothing', { a: { $any: true } }, {}, false],
    ['$any of null', { a: { $any: true } }, { a: null }, true],
    ['$absent', { a: { $absent: true } }, { b: 1 }, true],
    ['$absent, but there', { a: { $absent: true } }, { a: null }, false],
    ['$uuid', { $uuid: true }, uuid, true],
    ['$uuid of a text', { $uuid: true }, 'abc', false],
    ['$type integer', { $type: 'integer' }, 3, true],
    ['$type integer of a fraction', { $type: 'integer' }, 3.5, false],
    ['$type array', { $type: 'array' }, [], true],
    ['$type object of an array', { $type: 'object' }, [], false],
    ['$type null', { $type: 'null' }, null, true],
    ['$contains in a text', { $contains: 'ell' }, 'hello', true],
    ['$contains in an array', { $contains: { a: 1 } }, [{ a: 2 }, { a: 1, b: 1 }], true],
    ['$contains in neither', { $contains: 'a' }, 7, false],
    ['$one-of', { '$one-of': [7, 8] }, 7, true],
    ['$one-of none', { '$one-of': [1, 2] }, 3, false],
    ['$not', { $not: { a: 1 } }, { a: 1 }, false],
    ['$length', { $length: { '$at-least': 2 } }, 'abc', true],
    ['$each', { $each: { $type: 'string' } }, ['a', 1], false],
    ['two matchers', { '$at-least': 1, '$at-most': 3 }, 4, false],
    ['$matches', { $matches: '^a+$' }, 'aaa', true],
    ['$starts-with', { '$starts-with': 'ab' }, 'ba', false],
  ])('%s', (_title, pattern, value, expected) => {
    expect(fits(pattern, value)).toBe(expected);
  });

  test('$same-as compares with a bound value, in both directions', () => {
    const variables = new Variables();
    variables.bind('ask', { id: 'x', input: { a: 1 } });
    expect(fits({ '$same-as': 'ask.id' }, 'x', variables)).toBe(true);
    expect(fits({ '$same-as': 'ask.input' }, { a: 1, b: 2 }, variables)).toBe(false);
    expect(fits({ '$not-same-as': 'ask.id' }, 'x', variables)).toBe(false);
    expect(fits({ $contains: { '$same-as': 'ask.id' } }, 'axa', variables)).toBe(true);
    expect(fits({ $contains: { '$same-as': 'ask.id' } }, 'aya', variables)).toBe(false);
    expect(() => fits({ '$same-as': 'other' }, 'x', variables)).toThrow(TemplateError);
  });

  test('$as binds a value, also for the rest of the same pattern', () => {
    const result = match([{ $as: 'first' }, { '$same-as': 'first' }], [1, 1], new Variables());
    expect(result).toMatchObject({ ok: true, bound: new Map([['first', 1]]) });
    expect(fits([{ $as: 'first' }, { '$same-as': 'first' }], [1, 2])).toBe(false);
  });

  test('the difference names its place', () => {
    const result = match({ response: { list: [{ a: 1 }] } }, { response: { list: [{ a: 2 }] } }, new Variables());
    expect(result).toEqual({ ok: false, mismatch: { path: 'response.list.0.a', expected: '1', got: '2' } });
  });

  test('finds matchers that do not exist', () => {
    expect(unknownMatchers({ a: [{ $contian: 'x' }], b: { $any: true, c: 1 } })).toEqual(
      ['$any', '$contian'].toReversed(),
    );
  });
});

describe('templates', () => {
  test('a text that is only a template takes the value', () => {
    const variables = new Variables();
    variables.bind('ask', { id: 7, list: ['a'] });
    expect(variables.fill({ id: '${ask.id}', text: 'n${ask.id}', item: '${ask.list.0}' })).toEqual({
      id: 7,
      text: 'n7',
      item: 'a',
    });
    expect(variables.fill({ $repeat: 'ab', times: 3 })).toBe('ababab');
    expect(variables.fill({ $repeat: [1, '${ask.id}'], times: 2 })).toEqual([1, 7, 1, 7]);
    const [one, two] = variables.fill({ $repeat: ['${uuid}'], times: 2 }) as readonly string[];
    expect(one).not.toBe(two);
    expect(variables.fill({ $template: 'off', value: '${ask.id}' })).toBe('${ask.id}');
    expect(variables.fill('${uuid}')).not.toBe(variables.fill('${uuid}'));
    expect(() => variables.fill('x${ask.none}')).toThrow(StepFailure);
    expect(() => variables.fill('${ask.none}')).toThrow(StepFailure);
    expect(variables.fill(['${ask.none}', 'x${ask.none}'], 'left-out')).toEqual([undefined, 'x']);
    expect(() => variables.fill('${none}')).toThrow(TemplateError);
  });
});
