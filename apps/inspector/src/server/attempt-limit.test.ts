import { expect, test } from 'vitest';
import { AttemptLimit } from './attempt-limit.ts';

test('20 wrong tokens of an address may come at once, and then one a second', () => {
  let now = 5000;
  const limit = new AttemptLimit(() => now);
  for (let attempt = 0; attempt < 20; attempt++) expect(limit.count('192.0.2.1')).toBe(0);
  expect(limit.count('192.0.2.1')).toBe(1000);
  // An attempt that had to wait is not counted.
  expect(limit.count('192.0.2.1')).toBe(1000);
  now += 1000;
  expect(limit.count('192.0.2.1')).toBe(0);
  expect(limit.count('192.0.2.1')).toBe(1000);
  now += 60_000;
  for (let attempt = 0; attempt < 20; attempt++) expect(limit.count('192.0.2.1')).toBe(0);
});

test.each([
  ['192.0.2.1', '192.0.2.2', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['2001:db8::1', '2001:db8::2', true],
  ['2001:db8::1', '2001:DB8:0:0:ffff::7%eth0', true],
  ['2001:db8::1', '2001:db8:0:1::1', false],
  ['::1', '2001:db8::1', false],
])('%s and %s have one limit: %s', (first, second, isOne) => {
  const limit = new AttemptLimit(() => 0);
  for (let attempt = 0; attempt < 20; attempt++) limit.count(first);
  expect(limit.count(second) > 0).toBe(isOne);
});

test('of many addresses the ones that came last are remembered', () => {
  const limit = new AttemptLimit(() => 0);
  for (let attempt = 0; attempt < 20; attempt++) limit.count('first');
  for (let n = 0; n < 9999; n++) limit.count(`address ${n}`);
  expect(limit.count('first')).toBe(1000);
  for (let n = 0; n < 10_000; n++) limit.count(`other ${n}`);
  expect(limit.count('first')).toBe(0);
});
