import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { encodeBatch, type Transport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AgentNotFoundError, AgentProcessError } from './agent-errors.ts';
import { membersOf, runningProcesses } from './process-list.test-support.ts';
import { type SpawnedAgent, spawnAgent } from './spawn-agent.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';

type Options = Omit<SpawnAgentOptions, 'command' | 'args'>;

/** A child that runs a JavaScript program. */
function node(program: string, options: Options = {}): SpawnedAgent {
  const transport = spawnAgent({ command: process.execPath, args: ['-e', program], ...options });
  onTestFinished(() => transport.abort());
  return transport;
}

const shell = (script: string, options: Options = {}) =>
  spawnAgent({ command: '/bin/sh', args: ['-c', script], ...options });

/** Reads all messages, and the error at the end. */
async function readAll({ incoming }: Transport): Promise<{ messages: unknown[]; error?: unknown }> {
  const messages: unknown[] = [];
  try {
    for await (const items of incoming) {
      messages.push(...items.map((item) => (item.kind === 'message' ? item.read().message : item.kind)));
    }
    return { messages };
  } catch (error) {
    return { messages, error };
  }
}

/** The error of `opened`, which must be known within one turn of the event loop. */
function rejectionOf({ opened }: Transport): Promise<unknown> {
  return Promise.race([opened.catch((error: unknown) => error), setImmediate('too late')]);
}

const SAY = (value: string) => `console.log(JSON.stringify({ type: 'said', value: ${value} }));`;
const said = (value: unknown) => ({ type: 'said', value });
const ECHO = 'process.stdin.pipe(process.stdout)';
const STAY = 'setInterval(() => {}, 1000);';

describe('a child', () => {
  verifies('PROC-1', 'is started with pipes, receives and sends messages, and exits when its input ends', async () => {
    const transport = node(ECHO);
    await transport.opened;
    expect(membersOf(transport.pid)).toEqual([transport.pid]);
    await transport.send(encodeBatch(said(1), said(2)));
    await transport.end();
    expect(await readAll(transport)).toEqual({ messages: [said(1), said(2)] });
    expect(await transport.closed).toEqual({
      by: 'local',
      status: 0,
      process: { exitCode: 0, signal: null, stderrTail: '', killed: false },
    });
  });

  test('gets the given arguments, working directory and environment, and nothing else', async () => {
    const program = `${SAY('process.argv.slice(1)')}${SAY('process.cwd()')}${SAY('process.env')}`;
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const args = ['-e', program, '--', '$HOME', 'a b', '*'];
    const env = { ONE: 'x', TWO: undefined };
    const transport = spawnAgent({ command: process.execPath, args, cwd: folder, env });
    const { messages } = await readAll(transport);
    expect(messages).toEqual([said(['$HOME', 'a b', '*']), said(folder), said({ ONE: 'x' })]);
  });

  test('inherits the environment when none is given', async () => {
    vi.stubEnv('SOME_NAME', 'some value');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await readAll(node(SAY('process.env.SOME_NAME')))).messages).toEqual([said('some value')]);
  });

  test('that is a script runs with the Node of this process, also without the execute permission', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'my agent.mjs');
    await writeFile(path, SAY('process.execPath'), { mode: 0o600 });
    expect((await readAll(spawnAgent({ command: path }))).messages).toEqual([said(process.execPath)]);
  });

  verifies('QUEUE-16', 'that writes much before it reads is read while messages wait', async () => {
    const PUSHED = 8 * 1024 * 1024;
    for (const burst of [256 * 1024, PUSHED]) {
      const transport = node(`
        const line = JSON.stringify({ type: 'burst', text: 'x'.repeat(1000) }) + '\\n';
        process.stdout.write(line.repeat(${burst} / 1024), () => {
          let bytes = 0;
          process.stdin.on('data', (data) => (bytes += data.length));
          process.stdin.on('end', () => console.log(JSON.stringify({ type: 'received', bytes })));
        });`);
      const message = said('x'.repeat(1000));
      const messages = Array.from({ length: PUSHED / 1024 }, () => message);
      const sent = transport.send(encodeBatch(...messages));
      const read = readAll(transport);
      await sent;
      await transport.end();
      const received = (await read).messages;
      const bytes = messages.length * (JSON.stringify(message).length + 1);
      expect([received.length, received.at(-1)]).toEqual([burst / 1024 + 1, { type: 'received', bytes }]);
    }
  });

  test('that has ended its output still receives messages', async () => {
    const transport = shell('exec >&-; read line; echo "$line" >&2', { closeGraceMs: 50 });
    expect(await readAll(transport)).toEqual({ messages: [] });
    await transport.send(encodeBatch(said(1)));
    const { process } = await transport.closed;
    expect(process?.stderrTail).toBe(`${JSON.stringify(said(1))}\n`);
  });
});

describe('stderr', () => {
  verifies('HOST-16', 'is always drained, passed to onStderr, and its tail is kept', async () => {
    let length = 0;
    const program = `process.stderr.write('x'.repeat(5e6) + 'the €nd', () => { ${SAY('1')} })`;
    const transport = node(program, { maxStderrTailBytes: 8, onStderr: (text) => (length += text.length) });
    expect(await readAll(transport)).toEqual({ messages: [said(1)] });
    expect((await transport.closed).process?.stderrTail).toBe('he €nd');
    expect(length).toBe(5e6 + 'the €nd'.length);
  });
});

describe('a child that fails', () => {
  verifies('FAIL-5', 'causes the error lost with exit code and stderr tail after its messages', async () => {
    const transport = node(`${SAY('1')} console.error('bad flag'); process.exitCode = 3`);
    const { messages, error } = await readAll(transport);
    expect(messages).toEqual([said(1)]);
    expect(error).toMatchObject({
      code: 'lost',
      retryable: true,
      status: 3,
      exitCode: 3,
      signal: null,
      stderrTail: 'bad flag\n',
    });
    expect(AgentProcessError.find(new Error('outer', { cause: error }))).toBe(error);
    // The message quotes no stderr, which may contain secrets.
    expect((error as Error).message).toBe('stdio: the agent exited with code 3');
    expect(await transport.closed).toMatchObject({ by: 'link', status: 3, error, process: { exitCode: 3 } });
  });

  verifies('FAIL-5', 'by a signal causes the error lost with the name of the signal', async () => {
    const { error } = await readAll(node('process.kill(process.pid, "SIGKILL")'));
    expect(AgentProcessError.find(error)).toMatchObject({
      code: 'lost',
      exitCode: null,
      signal: 'SIGKILL',
      killed: false,
    });
  });

  test('rejects unread messages with the reason of its end', async () => {
    const transport = node('process.exitCode = 4');
    const sends = async () => {
      for (;;) await transport.send(encodeBatch(said('x'.repeat(100_000))));
    };
    await expect(sends()).rejects.toMatchObject({ code: 'lost', exitCode: 4 });
  });

  test('with code 0 but unread messages also causes the error lost', async () => {
    const transport = node('setTimeout(() => process.exit(0), 100)');
    const send = transport.send(encodeBatch(said('x'.repeat(10_000_000))));
    await expect(send).rejects.toMatchObject({ code: 'lost', exitCode: 0 });
  });
});

describe('a child that cannot be started', () => {
  verifies(
    ['FAIL-4', 'PROC-2', 'PROC-3'],
    'because the command is not found rejects everything with AgentNotFoundError',
    async () => {
      const transport = spawnAgent({ command: 'no-such-agent' });
      const error = await rejectionOf(transport);
      expect(AgentNotFoundError.find(error)?.searched.some((path) => path.endsWith('/no-such-agent'))).toBe(true);
      expect(await readAll(transport)).toEqual({ messages: [], error });
      await expect(transport.send(encodeBatch(said(1)))).rejects.toBeInstanceOf(Error);
      expect([transport.pid, await transport.closed]).toEqual([undefined, { by: 'link', error }]);
    },
  );

  verifies('PROC-2', 'because its working directory does not exist has a separate error', async () => {
    const transport = spawnAgent({ command: 'sh', cwd: '/no/such/folder' });
    await expect(transport.opened).rejects.toMatchObject({
      code: 'cwd-not-found',
      message: expect.stringContaining('/no/such/folder'),
    });
  });

  verifies(['FAIL-5', 'PROC-3'], 'because the system refuses it rejects, at once or a moment later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'agent');
    await writeFile(path, '#!/no/such/interpreter\n', { mode: 0o700 });
    for (const [options, errno] of [
      [{ command: path }, 'ENOENT'],
      [{ command: 'sh', args: ['-c', 'x'.repeat(10_000_000)] }, 'E2BIG'],
    ] as const) {
      const transport = spawnAgent(options);
      const error = await rejectionOf(transport);
      expect(AgentProcessError.find(error)).toMatchObject({
        code: 'connect-failed',
        cause: { code: errno },
        exitCode: null,
      });
      await transport.close();
      expect((await transport.closed).error).toBe(error);
    }
  });

  test.each([
    ['#!/no/such/interpreter -x\n', 'its interpreter /no/such/interpreter does not exist'],
    ['#! /tmp\n', 'its interpreter /tmp is a folder'],
    ['#!/etc/passwd\n', 'its interpreter /etc/passwd is not executable'],
    ['#!/bin/sh\r\necho\r\n', 'its first line ends in a carriage return'],
    ['#!/usr/bin/env no-such-interpreter\n', 'its interpreter no-such-interpreter is not on PATH'],
    ['#!/usr/bin/env -S A=b no-such-interpreter -x\n', 'its interpreter no-such-interpreter is not on PATH'],
    ['#!/usr/bin/env node\r\n', 'its first line ends in a carriage return'],
  ])('because of its first line %j says so', async (text, reason) => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'agent');
    await writeFile(path, text, { mode: 0o700 });
    const { error } = await spawnAgent({ command: path }).closed;
    expect(error?.message).toContain(reason);
  });

  test('because it is a folder, or may not be executed, says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'agent'), '#!/bin/sh\n', { mode: 0o600 });
    await expect(spawnAgent({ command: folder }).opened).rejects.toThrow(
      `${folder} is a folder: give the path of a program.`,
    );
    await expect(spawnAgent({ command: join(folder, 'agent') }).opened).rejects.toThrow(
      'is not executable: add the permission',
    );
    await expect(spawnAgent({ command: 'sh', cwd: join(folder, 'agent') }).opened).rejects.toMatchObject({
      code: 'cwd-not-found',
    });
  });

  verifies('FAIL-9', 'or exits at once rejects all sends, and this process survives', async () => {
    const transport = spawnAgent({ command: 'false' });
    // Each message is larger than the pipe buffer; a message that fits would count as sent.
    const sends = Array.from({ length: 10 }, () => transport.send(encodeBatch(said('x'.repeat(1_000_000)))));
    for (const send of sends) await expect(send).rejects.toMatchObject({ code: 'lost', exitCode: 1 });
    expect(AgentProcessError.find((await readAll(transport)).error)?.exitCode).toBe(1);
  });
});

describe('closing', () => {
  verifies(['PROC-4', 'PROC-5'], 'lets a child exit by itself, with any code', async () => {
    const transport = node(`process.stdin.resume().on('end', () => process.exit(1))`);
    await transport.send(encodeBatch(said(1)));
    await transport.close();
    expect(await transport.closed).toEqual({
      by: 'local',
      status: 1,
      process: { exitCode: 1, signal: null, stderrTail: '', killed: false },
    });
  });

  verifies(['PROC-4', 'PROC-5'], 'ends a child that does not exit with SIGTERM, and reports `killed`', async () => {
    const transport = node(`process.on('SIGTERM', () => process.exit(143)); ${SAY('1')} ${STAY}`, { closeGraceMs: 20 });
    const incoming = transport.incoming[Symbol.asyncIterator]();
    await incoming.next();
    await transport.close();
    expect(await transport.closed).toEqual({
      by: 'local',
      status: 143,
      process: { exitCode: 143, signal: null, stderrTail: '', killed: true },
    });
  });

  verifies(['PROC-4', 'PROC-5'], 'kills a child that ignores SIGTERM, and its group', async () => {
    const script = `trap '' TERM; sleep 1000 & echo '{"type":"said"}'; while :; do sleep 1000; done`;
    const transport = shell(script, { closeGraceMs: 20, killGraceMs: 50 });
    await transport.incoming[Symbol.asyncIterator]().next();
    expect(membersOf(transport.pid).length).toBeGreaterThan(1);
    await transport.close();
    expect((await transport.closed).process).toMatchObject({ signal: 'SIGKILL', killed: true });
    await vi.waitFor(() => expect(membersOf(transport.pid)).toEqual([]));
  });

  test('does not wait for a write that the child does not read', async () => {
    const transport = node(STAY, { closeGraceMs: 50 });
    await transport.opened;
    const send = transport.send(encodeBatch(said('x'.repeat(10_000_000))));
    const failed = expect(send).rejects.toMatchObject({ code: 'lost', killed: true });
    await transport.close();
    await failed;
    expect(await transport.closed).toMatchObject({ by: 'link', error: { code: 'lost' }, process: { killed: true } });
  });

  verifies('HOST-16', 'early, twice, or before the first read runs the same shutdown once', async () => {
    const program = `process.stdin.resume().on('end', () => console.error('end')); process.on('SIGTERM', () => console.error('TERM'))`;
    const ends: ((transport: SpawnedAgent) => Promise<unknown>)[] = [
      (transport) => Promise.all([transport.close(), transport.close(), transport[Symbol.asyncDispose]()]),
      async (transport) => {
        await transport.opened;
        await transport.close();
        await transport.close();
      },
      async (transport) => {
        await transport.send(encodeBatch(said(1)));
        await transport.incoming[Symbol.asyncIterator]().return?.();
        await transport.closed;
      },
    ];
    for (const end of ends) {
      const transport = node(program);
      await end(transport);
      expect((await transport.closed).process).toMatchObject({ exitCode: 0, stderrTail: 'end\n', killed: false });
    }
  });

  test('does not wait for a process outside the group that holds the pipes', async () => {
    const stray = `spawn(process.execPath, ['-e', '${STAY}'], { detached: true, stdio: 'inherit' })`;
    const transport = node(`const { spawn } = require('child_process'); ${SAY(`${stray}.pid`)} process.exit()`);
    const { messages } = await readAll(transport);
    const [{ value: pid }] = messages as [{ value: number }];
    onTestFinished(() => {
      // On Linux the process was ended already.
      if (runningProcesses().some((listed) => listed.pid === pid)) process.kill(pid, 'SIGKILL');
    });
    expect(await transport.closed).toMatchObject({ by: 'peer', process: { exitCode: 0 } });
  });
});
