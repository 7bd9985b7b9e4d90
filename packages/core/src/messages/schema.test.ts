import { describe, expect, test } from 'vitest';

import { carried, isCarried, object, optional } from './object-schema.ts';
import { array, lazy, lazySchema, type LazySchema, literal, number, oneOf, string } from './schema.ts';
import { openUnion } from './union-schema.ts';

const cat = object({ kind: literal('cat'), lives: number });
const dog = object({ kind: oneOf(['dog', 'hound']), name: string });

describe('a schema', () => {
  const counted = () => {
    const counts = { described: 0 };
    const schema = lazy(() => {
      counts.described++;
      return object({ kind: literal('cat') });
    });
    return { counts, schema };
  };

  test('is described at its first use, once', () => {
    const { counts, schema } = counted();
    const home = object({ pet: optional(schema) });
    expect([home.passes({}), counts.described]).toEqual([true, 0]);
    expect([home.passes({ pet: {} }), home.passes({ pet: { kind: 'cat' } })]).toEqual([false, true]);
    expect([schema().safeParse({}).success, counts.described]).toEqual([false, 1]);
  });

  test('checks a value without zod, which says what is wrong with one', () => {
    let built = 0;
    const pet = lazySchema(() => {
      built++;
      return cat();
    }, cat.passes);
    const tom = { kind: 'cat', lives: 9, owner: 'nobody' };
    expect([pet.safeParse(tom).data, built]).toEqual([tom, 0]);
    expect(pet.safeParse(tom).data).toBe(tom);
    expect(pet.safeParse({ kind: 'cat' })).toEqual(cat().safeParse({ kind: 'cat' }));
    expect([lazy(() => pet).safeParse({}).success, built]).toEqual([false, 1]);
  });

  test('is one schema of zod, however often it is asked for', () => {
    const { schema } = counted();
    expect(schema()).toBe(schema());
    const home = object({ pet: schema });
    expect(home().shape.pet).toBe(schema());
  });
});

describe('an open union', () => {
  const pet = openUnion('kind', { cat, dog, hound: dog });

  test('builds the schema of a kind when the first object of that kind comes', () => {
    const built: string[] = [];
    const counted = <Schema extends LazySchema>(name: string, schema: Schema): Schema =>
      lazy(() => {
        built.push(name);
        return schema;
      }) as Schema;
    const other = openUnion('kind', {
      cat: counted('cat', cat),
      dog: counted('dog', dog),
      hound: counted('hound', dog),
    });
    const home = object({ pets: array(other), first: other })();
    const goldfish = { kind: 'goldfish' };
    expect(home.safeParse({ pets: [goldfish], first: goldfish }).success).toBe(true);
    expect(built).toEqual([]);
    expect(home.safeParse({ pets: [], first: { kind: 'cat', lives: 9 } }).success).toBe(true);
    expect(built).toEqual(['cat']);
  });

  test('lets no broken object of a known kind through', () => {
    for (const passes of [pet.passes, (value: unknown) => pet().safeParse(value).success]) {
      expect(passes({ kind: 'cat', lives: 9, colour: 'red' })).toBe(true);
      expect(passes({ kind: 'hound', name: 'x' })).toBe(true);
      expect(passes({ kind: 'goldfish', lives: 'none' })).toBe(true);
      expect(passes({ kind: 'cat', lives: 'nine' })).toBe(false);
      expect(passes({ kind: 'hound' })).toBe(false);
      expect(passes({ kind: 5 })).toBe(false);
      expect(passes({})).toBe(false);
      expect(passes('cat')).toBe(false);
    }
  });

  test('may have a kind that is told by the absence of the member', () => {
    const stray = object({ kind: optional(literal('stray')), place: string });
    const schema = openUnion('kind', { cat, stray }, stray)();
    expect(schema.safeParse({ place: 'x' }).success).toBe(true);
    expect(schema.safeParse({}).error?.issues).toMatchObject([{ path: ['place'] }]);
    expect(schema.safeParse({ kind: 'goldfish' }).success).toBe(true);
  });
});

test('a carried member may be absent like an optional one, and is known for being typed as required', () => {
  const member = carried(string)();
  expect([member.safeParse(undefined).success, isCarried(member), isCarried(optional(string)())]).toEqual([
    true,
    true,
    false,
  ]);
});
