import { expect, test } from 'vitest';

import { planned } from './planned.ts';
import { rows } from './rows.ts';

test('every planned id is a row', () => {
  const known = new Set(rows.map((row) => row.id));
  expect(planned.filter((id) => !known.has(id))).toEqual([]);
});

test('no id is planned twice', () => {
  expect(planned.filter((id, index) => planned.indexOf(id) !== index)).toEqual([]);
});
