import { expect, test } from 'vitest';
import { AttemptLimit } from './attempt-limit.ts';

test('20 wrong tokens may come at once, and then one a second', () => {
  let now = 5000;
  const limit = new AttemptLimit(() => now);
  for (let attempt = 0; attempt < 20; attempt++) {
    expect(limit.waitMs()).toBe(0);
    limit.count();
  }
  expect(limit.waitMs()).toBe(1000);
  now += 1000;
  expect(limit.waitMs()).toBe(0);
  limit.count();
  expect(limit.waitMs()).toBe(1000);
  now += 60_000;
  for (let attempt = 0; attempt < 20; attempt++) limit.count();
  expect(limit.waitMs()).toBe(1000);
});
