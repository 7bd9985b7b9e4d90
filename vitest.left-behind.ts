/**
 * The test files of a package share a process. Behind each of them this puts its spies back, and fails it if it leaves something behind that
 * the next file would meet: a faked clock, another working directory, variables, globals, or listeners of the process.
 */
import { afterAll, expect, vi } from 'vitest';

const LAZY = Symbol('made when it is first used');
/** What zod and @hono/node-server add or replace when they are loaded, which may be in the middle of a test. */
const BY_MODULES = /^the global (__zod_.*|Request|Response)$/;
const before = state();

afterAll(() => {
  vi.restoreAllMocks();
  const left = vi.isFakeTimers() ? ['a faked clock'] : [];
  vi.useRealTimers();
  const after = state();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const isExpected = before.get(name) === LAZY || BY_MODULES.test(name);
    if (!isExpected && !Object.is(before.get(name), after.get(name))) left.push(name);
  }
  expect(left, 'what this test file leaves changed').toEqual([]);
});

/** What the files of a process share, by its name. */
function state(): Map<string, unknown> {
  const found = new Map<string, unknown>([['the working directory', process.cwd()]]);
  for (const event of process.eventNames())
    found.set(`the listeners of ${String(event)}`, process.listenerCount(event));
  for (const [name, value] of Object.entries(process.env)) found.set(`the variable ${name}`, value);
  // What Node makes when it is first used is a getter before that.
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    found.set(`the global ${name}`, get === undefined ? value : LAZY);
  }
  return found;
}
