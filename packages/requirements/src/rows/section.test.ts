import { expect, test } from 'vitest';

import { section } from './section.ts';

test('a row takes its slug from its key, and its tags from the brackets before its sentence', () => {
  expect(
    section('S9 a / b', { 'S9-01 a/one': '[core+seam:env] one. [today: two]', 'S9-02 a/three': '[core/ws] three' }),
  ).toEqual([
    { id: 'S9-01', slug: 'a/one', source: 'S9 a / b', tags: ['core', 'seam:env'], sentence: 'one. [today: two]' },
    { id: 'S9-02', slug: 'a/three', source: 'S9 a / b', tags: ['core', 'ws'], sentence: 'three' },
  ]);
});

test('a row without brackets has no tags', () => {
  expect(section('pain 1', { 'R-1.1 b/one': 'one [two] three' })).toEqual([
    { id: 'R-1.1', slug: 'b/one', source: 'pain 1', tags: [], sentence: 'one [two] three' },
  ]);
});
