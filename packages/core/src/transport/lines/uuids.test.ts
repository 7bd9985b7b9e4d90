import { expect, test } from 'vitest';
import { Uuids } from './uuids.ts';

test('each source creates its own UUIDs, even after the prepared random values are used up', () => {
  const sources = Array.from({ length: 1000 }, () => new Uuids());
  const ids = sources.flatMap((uuids) => [uuids.next(), uuids.next()]);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(0, 24))).size).toBe(sources.length);
});

test('a source recognizes only the ids that it created', () => {
  const [uuids, other] = [new Uuids(), new Uuids()];
  const id = uuids.next();
  expect([uuids.issued(id), uuids.issued(other.next()), uuids.issued('')]).toEqual([true, false, false]);
  expect(uuids.issued(id.replace(/.$/, '2'))).toBe(false);
});
