import { expect, test } from 'vitest';
import { settlesWithin, within } from './within.ts';

const never: Promise<never> = new Promise(() => {});

test('settles like the promise', async () => {
  expect(await within(1000, Promise.resolve(7), 'seven comes')).toBe(7);
  await expect(within(1000, Promise.reject(new Error('its own')), 'seven comes')).rejects.toThrow('its own');
});

test('names the awaited event in its error', async () => {
  await expect(within(5, never, 'the child exits')).rejects.toThrow('this did not happen within 5 ms: the child exits');
});

test('clears its timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  await within(60_000, Promise.resolve(), 'nothing');
  await settlesWithin(60_000, Promise.reject(new Error('settled, too')));
  expect(timers()).toBe(before);
});

test('distinguishes a promise that settles from a promise that stays pending', async () => {
  expect(await settlesWithin(1000, Promise.resolve())).toBe(true);
  expect(await settlesWithin(1000, Promise.reject(new Error('settled, too')))).toBe(true);
  expect(await settlesWithin(5, never)).toBe(false);
});
