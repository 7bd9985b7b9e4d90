import { expect, test } from 'vitest';

import { section } from './section.ts';

test('a row takes its tags from the brackets in front', () => {
  expect(section('S9 a / b', { 'S9-01': '[core+seam:env] one. [today: two]', 'S9-02': '[core/ws] three' })).toEqual([
    { id: 'S9-01', source: 'S9 a / b', tags: ['core', 'seam:env'], sentence: 'one. [today: two]' },
    { id: 'S9-02', source: 'S9 a / b', tags: ['core', 'ws'], sentence: 'three' },
  ]);
});

test('a row without brackets has no tags', () => {
  expect(section('pain 1', { 'R-1.1': 'one [two] three' })).toEqual([
    { id: 'R-1.1', source: 'pain 1', tags: [], sentence: 'one [two] three' },
  ]);
});
