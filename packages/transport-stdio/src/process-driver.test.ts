import { Writable } from 'node:stream';
import { encodeBatch, flattenIncoming } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeChild, type FakeSystem, fakeSystem } from './fake-system.test-support.ts';
import { DEFAULT_CLOSE_GRACE_MS, DEFAULT_KILL_GRACE_MS } from './shut-down.ts';
import { type SpawnedAgent, spawnAgentOn } from './spawn-agent.ts';

const MESSAGE = encodeBatch({ type: 'said' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface SetUp {
  readonly system: FakeSystem;
  readonly agent: SpawnedAgent;
  readonly child: FakeChild;
  /** The whole group exits. */
  exit(code: number | null, signal?: string): void;
}

async function setUp(
  platform: NodeJS.Platform,
  file: string,
  prepare = (_child: FakeChild, _system: FakeSystem) => {},
  env: Readonly<Record<string, string>> = {},
): Promise<SetUp> {
  const system = fakeSystem({ platform, env, files: { [file]: '' } });
  const { spawn } = system;
  const prepared = ((...given: Parameters<typeof spawn>) => {
    const child = spawn(...given);
    if (system.spawned.length === 1) prepare(child as unknown as FakeChild, system);
    return child;
  }) as typeof spawn;
  const agent = spawnAgentOn({ ...system, spawn: prepared }, { command: file, args: ['--flag'] });
  const child = system.spawned[0]?.child as FakeChild;
  await agent.opened;
  return {
    system,
    agent,
    child,
    exit(code, signal) {
      system.groups.delete(child.pid as number);
      child.exits(code, signal);
    },
  };
}

async function textOf({ incoming }: SpawnedAgent): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of flattenIncoming(incoming)) if (item.kind === 'message') texts.push(item.text);
  return texts;
}

describe('on systems other than Windows', () => {
  verifies('PROC-5', 'a child leads a separate process group, and only that group is signalled', async () => {
    const { system, agent, exit } = await setUp('linux', '/bin/agent');
    expect(system.spawned[0]).toMatchObject({ file: '/bin/agent', args: ['--flag'], options: { detached: true } });
    expect(system.spawned[0]?.options['shell']).toBeUndefined();
    void agent.close();
    await vi.advanceTimersByTimeAsync(DEFAULT_CLOSE_GRACE_MS + DEFAULT_KILL_GRACE_MS);
    expect(system.signals).toEqual(['-1000 SIGTERM', '-1000 SIGKILL']);
    exit(null, 'SIGKILL');
    await agent.closed;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a terminated agent gets no grace, is read to its end, and may exit with any code', async () => {
    const { system, agent, child, exit } = await setUp('linux', '/bin/agent');
    agent.child.terminate();
    agent.child.terminate();
    expect(system.signals).toEqual(['-1000 SIGTERM']);
    child.stdout.write('{"type":"bye"}\n');
    const said = textOf(agent);
    await vi.advanceTimersByTimeAsync(DEFAULT_KILL_GRACE_MS - 1);
    expect(system.signals).toEqual(['-1000 SIGTERM']);
    exit(143);
    expect(await said).toEqual(['{"type":"bye"}']);
    const { error, process: end } = await agent.closed;
    expect([error, end]).toEqual([undefined, { exitCode: 143, signal: null, stderrTail: '', killed: true }]);
    agent.child.terminate();
    expect([system.signals, vi.getTimerCount()]).toEqual([['-1000 SIGTERM'], 0]);
  });

  verifies(
    'PROC-5',
    'an aborted agent is killed at the exit of this process with its descendants, unless it is gone',
    async () => {
      const { system, agent, child, exit } = await setUp('linux', '/bin/agent', (_, { processes }) => {
        processes.set(1000, { parent: 1, start: 5 });
      });
      expect(system.atExits.size).toBe(0);
      agent.abort();
      expect([system.signals, system.atExits.size, child.stdin.destroyed]).toEqual([['-1000 SIGTERM'], 1, true]);
      system.processes.set(1001, { parent: 1000, start: 6 });
      for (const act of system.atExits) act();
      expect(system.signals).toEqual(['-1000 SIGTERM', '-1000 SIGKILL', '1001 SIGKILL']);
      system.processes.clear();
      exit(null, 'SIGTERM');
      await agent.closed;
      expect([system.atExits.size, vi.getTimerCount()]).toEqual([0, 0]);
      agent.abort();
      expect(system.atExits.size).toBe(0);
    },
  );

  test('where descendants outside the group cannot be found, an exit of this process does not kill an aborted child', async () => {
    const { system, agent, exit } = await setUp('darwin', '/bin/agent');
    agent.abort();
    for (const act of system.atExits) act();
    expect(system.signals).toEqual(['-1000 SIGTERM']);
    exit(143);
    await agent.closed;
  });

  test('the watch for the death of this process is stopped before closed', async () => {
    const { system, agent, exit } = await setUp('linux', '/bin/agent');
    const watch = system.spawned[1];
    expect(watch).toMatchObject({ file: '/bin/sh', options: { detached: true, cwd: '/' } });
    expect(watch?.args.at(-1)).toBe('1000');
    exit(0);
    await agent.closed;
    expect(watch?.child.killed).toEqual(['SIGKILL']);
  });

  test('the close deadline restarts with each batch that the child reads', async () => {
    let take = () => {};
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void (take = done) });
    const { system, agent } = await setUp('linux', '/bin/agent', (child) => Object.assign(child, { stdin: slow }));
    const sends = [agent.send(MESSAGE), agent.send(MESSAGE), agent.send(MESSAGE)].map((send) =>
      send.catch(() => 'lost'),
    );
    void agent.close();
    for (let batch = 1; batch <= 2; batch++) {
      await vi.advanceTimersByTimeAsync(DEFAULT_CLOSE_GRACE_MS - 1);
      expect(system.signals).toEqual([]);
      take();
    }
    await vi.advanceTimersByTimeAsync(DEFAULT_CLOSE_GRACE_MS);
    expect(system.signals).toEqual(['-1000 SIGTERM']);
    expect(await Promise.all(sends.slice(0, 2))).toEqual([undefined, undefined]);
    agent.abort();
    expect(await sends[2]).toBe('lost');
  });

  test('a child that ends its output has time to exit, and its exit code becomes the error', async () => {
    const { agent, child, exit } = await setUp('linux', '/bin/agent');
    const next = agent.incoming[Symbol.asyncIterator]().next();
    child.stdout.end();
    await vi.advanceTimersByTimeAsync(DEFAULT_CLOSE_GRACE_MS - 1);
    exit(7);
    await expect(next).rejects.toMatchObject({ code: 'lost', status: 7 });
  });

  verifies('FRM-6', 'the last line of a child that has exited is read, however late the reader resumes', async () => {
    const { system, agent, child } = await setUp('linux', '/bin/agent');
    const received: string[] = [];
    const read = (async () => {
      for await (const item of flattenIncoming(agent.incoming)) if (item.kind === 'message') received.push(item.text);
    })();
    read.catch(() => {});
    child.stdout.pause();
    system.groups.delete(child.pid as number);
    // The output stays open, because the pipe is not empty.
    child.emit('exit', 1, null);
    await vi.advanceTimersByTimeAsync(990);
    child.stdout.resume();
    await vi.advanceTimersByTimeAsync(15);
    child.stdout.end('{"type":"last"}');
    child.stderr.end();
    await expect(read).rejects.toMatchObject({ code: 'lost', status: 1 });
    expect(received).toEqual(['{"type":"last"}']);
  });
});

describe('on Windows', () => {
  const FILE = 'C:\\bin\\agent.exe';

  verifies('PROC-14', 'no console window opens, and no shell is used', async () => {
    const { system, agent, exit } = await setUp('win32', FILE);
    expect(system.spawned).toHaveLength(1);
    // A detached child would open a window, and leave the job object of its parent.
    expect(system.spawned[0]).toMatchObject({ file: FILE, options: { windowsHide: true, detached: false } });
    exit(0);
    await agent.closed;
  });

  verifies('PROC-5', 'the tree of a child that does not exit is killed after the grace', async () => {
    const { system, agent, exit } = await setUp('win32', FILE);
    void agent.close();
    await vi.advanceTimersByTimeAsync(DEFAULT_CLOSE_GRACE_MS - 1);
    expect(system.spawned).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(system.spawned[1]).toMatchObject({
      file: 'taskkill',
      args: ['/pid', '1000', '/T', '/F'],
      options: { windowsHide: true },
    });
    exit(1);
    await expect(agent.closed).resolves.toMatchObject({ by: 'local', process: { exitCode: 1, killed: true } });
    // The id may belong to another process now.
    expect([system.spawned.length, system.signals]).toEqual([2, []]);
  });

  verifies(
    'PROC-5',
    'the tree of an aborted child is killed at once, and again, synchronously, at the exit of this process',
    async () => {
      const { system, agent, exit } = await setUp('win32', FILE);
      agent.abort();
      expect(system.spawned[1]?.args).toEqual(['/pid', '1000', '/T', '/F']);
      for (const act of system.atExits) act();
      expect(system.ran).toEqual(['taskkill /pid 1000 /T /F']);
      const [act] = system.atExits;
      exit(1);
      act?.();
      expect(system.ran).toHaveLength(1);
      await agent.closed;
      expect(system.atExits.size).toBe(0);
    },
  );

  test('taskkill is started from the Windows folder, not from the working directory', async () => {
    const { system, agent, exit } = await setUp('win32', FILE, () => {}, { SystemRoot: String.raw`D:\Windows` });
    agent.abort();
    expect(system.spawned[1]?.file).toBe(String.raw`D:\Windows\System32\taskkill.exe`);
    exit(1);
    await agent.closed;
  });
});
