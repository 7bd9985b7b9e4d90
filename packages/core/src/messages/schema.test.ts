import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

import { carried, isCarried, lazy, object, openUnion, openUnionOf, optional } from './schema.ts';

const cat = () => object({ kind: z.literal('cat'), lives: z.number() });
const dog = () => object({ kind: z.enum(['dog', 'hound']), name: z.string() });

describe('an open union', () => {
  test('builds the schema of a kind when the first object of that kind comes', () => {
    const built: string[] = [];
    const counted = <T>(name: string, build: () => T) =>
      lazy(() => {
        built.push(name);
        return build();
      });
    const pet = openUnionOf('kind', {
      cat: counted('cat', cat),
      dog: counted('dog', dog),
      hound: counted('hound', dog),
    });
    const home = object({ pets: z.array(pet), first: pet });
    const goldfish = { kind: 'goldfish' };
    expect(home.safeParse({ pets: [goldfish], first: goldfish }).success).toBe(true);
    expect(built).toEqual([]);
    expect(home.safeParse({ pets: [], first: { kind: 'cat', lives: 9 } }).success).toBe(true);
    expect(built).toEqual(['cat']);
  });

  test('lets no broken object of a known kind through, not even compiled by somebody else', () => {
    for (const schema of [openUnion('kind', [cat(), dog()]), z.compile(openUnion('kind', [cat(), dog()]))]) {
      const passes = (value: unknown) => schema.safeParse(value).success;
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
    const stray = object({ kind: z.optional(z.literal('stray')), place: z.string() });
    const schema = openUnion('kind', [cat(), stray]);
    expect(schema.safeParse({ place: 'x' }).success).toBe(true);
    expect(schema.safeParse({}).error?.issues).toMatchObject([{ path: ['place'] }]);
    expect(schema.safeParse({ kind: 'goldfish' }).success).toBe(true);
  });
});

test('a carried member may be absent like an optional one, and is known for being typed as required', () => {
  const member = carried(z.string());
  expect([member.safeParse(undefined).success, isCarried(member), isCarried(optional(z.string()))]).toEqual([
    true,
    true,
    false,
  ]);
});
