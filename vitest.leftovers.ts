/**
 * The test files of a package share a process. After each file this restores its spies, and fails the file if it leaves something that the next file
 * would meet: a faked clock, another working directory, variables, globals, listeners of the process, intervals, or open servers, connections and
 * child processes.
 */
import { afterAll, expect, vi } from 'vitest';

const LAZY = Symbol('made when it is first used');
/** What zod and @hono/node-server add or replace when they are loaded, which may be in the middle of a test. */
const BY_MODULES = /^the global (__zod_.*|Request|Response)$/;
/** What stays open until it is closed. Timers and requests to the file system end by themselves, and Node counts no interval that is unreferenced. */
const STAYS_OPEN = /Server|Socket|Process|Worker|Watcher|FSEvent/;
const intervals = watchedIntervals();
const before = state();
const openBefore = openResources();

afterAll(async () => {
  vi.restoreAllMocks();
  const left = vi.isFakeTimers() ? ['a faked clock'] : [];
  vi.useRealTimers();
  for (const begunAt of intervals.values()) left.push(`an interval, begun ${begunAt}`);
  intervals.clear();
  const after = state();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const isExpected = before.get(name) === LAZY || BY_MODULES.test(name);
    if (!isExpected && !Object.is(before.get(name), after.get(name))) left.push(name);
  }
  expect(left, 'what this test file leaves changed').toEqual([]);
  // A resource is open until the event loop has reported its end.
  await vi.waitFor(() => expect(newResources(), 'what this test file leaves open').toEqual([]), {
    timeout: 5000,
    interval: 5,
  });
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

/** The kinds of what is open in this process, sorted: each as often as it is open. */
function openResources(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => STAYS_OPEN.test(kind))
    .sort();
}

/** The kinds of what is open now and was not open before the file. */
function newResources(): string[] {
  const old = [...openBefore];
  return openResources().filter((kind) => {
    const at = old.indexOf(kind);
    if (at !== -1) old.splice(at, 1);
    return at === -1;
  });
}

/** Watches the intervals of this process that nothing has ended. Gives where each was begun. */
function watchedIntervals(): Map<unknown, string> {
  const { setInterval: begin, clearInterval: end } = globalThis;
  if ('watched' in begin) return begin.watched as Map<unknown, string>;
  const watched = new Map<unknown, string>();
  const setInterval = (...given: Parameters<typeof begin>) => {
    const interval = begin(...given);
    watched.set(interval, (new Error().stack ?? '').split('\n').slice(2, 6).join('').replaceAll(/\s+/g, ' ').trim());
    return interval;
  };
  const clearInterval = (interval: Parameters<typeof end>[0]) => {
    watched.delete(interval);
    end(interval);
  };
  Object.assign(globalThis, { setInterval: Object.assign(setInterval, { watched }), clearInterval });
  return watched;
}
