import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { Descendants } from './descendants.ts';
import { type FakeProcess, type FakeSystem, fakeSystem } from './fake-system.test-support.ts';

const ROOT = 1000;
const INIT = 1;

/** A system with init, this process, a child that leads the group and session 1000, and the given processes. */
function setUp(processes: Readonly<Record<number, FakeProcess>>, platform: NodeJS.Platform = 'linux') {
  const system = fakeSystem({ platform });
  put(system, { [INIT]: { parent: 0, start: 1 }, 500: { parent: INIT, start: 50 } });
  put(system, { [ROOT]: { parent: 500, start: 100, stdio: 'socket:[7]' }, ...processes });
  return { system, descendants: new Descendants(ROOT, '12345', system) };
}

function put(system: FakeSystem, processes: Readonly<Record<number, FakeProcess>>): void {
  for (const [pid, found] of Object.entries(processes)) system.processes.set(Number(pid), found);
}

/** The processes that receive a signal now. */
function signalled({ system, descendants }: ReturnType<typeof setUp>): string[] {
  system.signals.length = 0;
  descendants.signal('SIGKILL');
  return system.signals.map((signal) => signal.replace(' SIGKILL', ''));
}

describe('a process that a child has started', () => {
  test('is found through any number of parents, and signalled only outside the group of the child', () => {
    const all = setUp({
      // The order of process ids is not the order of starts, because the ids wrap around.
      900: { parent: 1001, start: 103 },
      1001: { parent: ROOT, start: 101 },
      1002: { parent: 900, start: 104 },
      1003: { parent: ROOT, start: 102, group: ROOT, session: ROOT },
      1004: { parent: 1003, start: 105 },
      1005: { parent: 500, start: 110 },
    });
    expect(signalled(all)).toEqual([]);
    expect(all.descendants.collect()).toBe(5);
    expect(all.descendants.collect()).toBe(0);
    expect(signalled(all).toSorted()).toEqual(['1001', '1002', '1004', '900']);
  });

  test('gets SIGTERM once, and SIGKILL as often as needed', () => {
    const { system, descendants } = setUp({ 1001: { parent: ROOT, start: 101 } });
    descendants.collect();
    expect(
      (['SIGTERM', 'SIGTERM', 0, 'SIGKILL', 'SIGKILL'] as const).map((signal) => descendants.signal(signal)),
    ).toEqual(Array(5).fill(true));
    expect(system.signals).toEqual(['1001 SIGTERM', '1001 SIGKILL', '1001 SIGKILL']);
  });

  test('counts as alive until the last of them ends, and zombies do not count', () => {
    const all = setUp({ 1001: { parent: ROOT, start: 101, group: ROOT }, 1002: { parent: ROOT, start: 102 } });
    all.descendants.collect();
    for (const left of [ROOT, 1002, 1001]) {
      expect(all.descendants.signal(0)).toBe(true);
      put(all.system, { [left]: { ...(all.system.processes.get(left) as FakeProcess), state: 'Z' } });
    }
    expect(all.descendants.signal(0)).toBe(false);
  });

  test('is parsed correctly whatever the name of its program is', () => {
    const all = setUp({ 1001: { parent: ROOT, start: 101, name: 'a) S 1 1 1 (b' } });
    expect([all.descendants.collect(), signalled(all)]).toEqual([1, ['1001']]);
  });

  test('stays known when its parent exits, and ends as a zombie', () => {
    const all = setUp({ 1001: { parent: ROOT, start: 101 }, 1002: { parent: 1001, start: 102 } });
    all.descendants.collect();
    all.system.processes.delete(ROOT);
    put(all.system, { 1001: { parent: INIT, start: 101, state: 'Z' }, 1002: { parent: INIT, start: 102 } });
    put(all.system, { 1003: { parent: 1002, start: 103 } });
    expect([all.descendants.collect(), signalled(all)]).toEqual([1, ['1002', '1003']]);
    for (const pid of [1002, 1003]) all.system.processes.delete(pid);
    expect([signalled(all), all.descendants.signal(0)]).toEqual([[], false]);
  });

  test.each<[string, FakeProcess]>([
    ['it is in the session of the child', { parent: INIT, start: 120, session: ROOT }],
    ['it is in the session of a known process', { parent: INIT, start: 120, session: 1001 }],
    ['it is in the group of a known process', { parent: INIT, start: 120, group: 1001 }],
    ['it has the pipes of the child', { parent: INIT, start: 120, stdio: 'socket:[7]' }],
    ['it has the mark of the child', { parent: INIT, start: 120, locks: '12345' }],
  ])('is found after its parent has exited when %s', (_, found) => {
    const all = setUp({ 1001: { parent: ROOT, start: 101 } });
    all.descendants.collect();
    for (const pid of [ROOT, 1001]) all.system.processes.delete(pid);
    put(all.system, { 1002: found, 1003: { parent: 1002, start: 121 } });
    expect([all.descendants.collect(), signalled(all)]).toEqual([2, ['1002', '1003']]);
  });
});

describe('an unrelated process', () => {
  test('is never signalled: the host, its other children, and other processes of the user', () => {
    const all = setUp({
      700: { parent: 500, start: 100, stdio: 'socket:[8]' },
      701: { parent: INIT, start: 130, locks: '123456' },
      702: { parent: INIT, start: 130, locks: '1234' },
      // A process that started before the child cannot be a descendant, whatever its attributes.
      703: { parent: INIT, start: 99, locks: '12345', session: ROOT },
    });
    expect([all.descendants.collect(), signalled(all)]).toEqual([0, []]);
  });

  verifies('PROC-5', 'is never signalled when it reuses the id of a known process', () => {
    const all = setUp({ 1001: { parent: ROOT, start: 101 }, 1002: { parent: 1001, start: 102 } });
    all.descendants.collect();
    all.system.processes.delete(ROOT);
    put(all.system, { 1001: { parent: INIT, start: 201 }, 1002: { parent: INIT, start: 102 } });
    // Children of the unrelated process and members of its session are not signalled either.
    put(all.system, { 1003: { parent: 1001, start: 202 }, 1004: { parent: INIT, start: 203, session: 1001 } });
    expect([all.descendants.collect(), signalled(all)]).toEqual([0, ['1002']]);
    // The id of the child itself is reused.
    put(all.system, { [ROOT]: { parent: INIT, start: 300 }, 1005: { parent: ROOT, start: 301 } });
    expect([all.descendants.collect(), signalled(all)]).toEqual([0, ['1002']]);
  });

  test('is never found without /proc of Linux, or when the child was gone at once', () => {
    const mac = setUp({ 1001: { parent: ROOT, start: 101 } }, 'darwin');
    expect([mac.descendants.collect(), signalled(mac), mac.descendants.signal(0)]).toEqual([0, [], undefined]);
    const { system } = setUp({});
    system.processes.delete(ROOT);
    const late = { system, descendants: new Descendants(ROOT, '12345', system) };
    put(system, { [ROOT]: { parent: INIT, start: 300 }, 1001: { parent: ROOT, start: 301, locks: '12345' } });
    expect([late.descendants.collect(), signalled(late)]).toEqual([0, []]);
  });

  test('counts as gone if this process may not signal it', () => {
    const all = setUp({ 1001: { parent: ROOT, start: 101 } });
    const kill = () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    const descendants = new Descendants(ROOT, undefined, { ...all.system, kill });
    expect([descendants.collect(), descendants.signal('SIGKILL')]).toEqual([1, false]);
  });
});
