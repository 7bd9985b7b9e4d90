/** Tests of agents that do not exist or cannot be started. The error is reported at the start if possible, otherwise to the clients. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokenProgram, FOLDER, MAIN, outcomeOf, run, start } from '../bins.test-support.ts';
import { startServer, user } from './serve.test-support.ts';

const LIMIT = { timeout: 20_000 };
const FREE = ['--listen', '127.0.0.1:0', '--store', 'memory'];

describe('an agent that does not exist', LIMIT, () => {
  test('makes serve exit at its start with 4 and one line, before it listens', async () => {
    const { stdout, stderr, code } = await run(MAIN, ['serve', ...FREE, '--', 'nosuchagent']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toMatch(/^sjp serve: .*no agent "nosuchagent" on PATH.*\(--json lists the \d+ places.*\n$/);
  });

  test('is reported with all searched places when JSON is requested', async () => {
    const { stdout, stderr, code } = await run(MAIN, ['serve', ...FREE, '--json', '--', 'nosuchagent']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    const { error } = JSON.parse(stderr) as { error: { code: string; hint: string; data: { searched: string[] } } };
    expect(error).toMatchObject({ code: 'agent-not-found', hint: expect.stringContaining('PATH') });
    expect(error.data.searched).toContain('/usr/local/bin/nosuchagent');
  });

  test.each([
    ['run', ['run', 'x', '--', 'nosuchagent']],
    ['bridge', ['bridge', '--', 'nosuchagent']],
    ['bridge by a URI', ['bridge', '-', 'exec:nosuchagent --flag']],
    ['bridge with clients', ['bridge', '--listen', 'ws://127.0.0.1:0', '--multi', '--', 'nosuchagent']],
    ['bridge with clients, by a URI', ['bridge', '--listen', 'ws://127.0.0.1:0', '--multi', 'exec:nosuchagent']],
    ['bridge of a worker', ['bridge', 'sse+http://127.0.0.1:9/v1/code/sessions/cse_1/worker', '--', 'nosuchagent']],
  ])('makes %s exit at its start with 4 and one line', async (_, args) => {
    const { stdout, stderr, code } = await run(MAIN, args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toMatch(/^sjp (?:run|bridge): .*no agent "nosuchagent" on PATH[^\n]*\n$/);
  });

  test('of a bridge is reported with all searched places when JSON is requested', async () => {
    const { stderr } = await run(MAIN, ['bridge', '--json', '--', 'nosuchagent']);
    const { error } = JSON.parse(stderr) as { error: { data: { searched: string[] } } };
    expect(error.data.searched).toContain('/usr/local/bin/nosuchagent');
  });

  test('may be in node_modules/.bin of the project: the error names that program, which is not run', async () => {
    const bin = join(FOLDER, 'project/node_modules/.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'project-agent'), '#!/bin/sh\necho was run\n');
    chmodSync(join(bin, 'project-agent'), 0o755);
    const child = start(MAIN, ['run', 'x', '--', 'project-agent'], {}, join(FOLDER, 'project'));
    const { stdout, stderr, code } = await outcomeOf(child, '');
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toContain('project/node_modules/.bin/project-agent exists');
    expect(stderr).toContain('npx project-agent');
  });
});

describe('an agent that cannot be started', LIMIT, () => {
  test('is reported on stderr and to the clients with the reason, but not as an exit of a process', async () => {
    const server = await startServer(['--', brokenProgram()]);
    const session = await server.newSession();
    const exited = { subtype: 'agent_exited', code: null, error: expect.stringContaining('cannot be started') };
    await expect.poll(() => server.logOf(session)).toMatchObject([exited]);
    const { body, status } = await server.say(session, user('hello'));
    expect(status).toBe(502);
    expect(JSON.stringify(body)).toContain('cannot be started');
    const { events } = await server.stop();
    expect(events.map(({ type }) => type)).not.toContain('agent_started');
    expect(events.find(({ type }) => type === 'agent_exited')).toMatchObject({
      code: null,
      error: expect.stringContaining('cannot be started'),
    });
  });

  test('is reported in the same way when its program was removed after the start', async () => {
    const program = brokenProgram();
    const server = await startServer(['--', program]);
    rmSync(program);
    const session = await server.newSession();
    const exited = { subtype: 'agent_exited', error: expect.stringContaining(`no agent "${program}"`) };
    await expect.poll(() => server.logOf(session)).toMatchObject([exited]);
  });

  test('is reported as a sentence in text format', async () => {
    const server = await startServer(['--', brokenProgram()]);
    const { stdout, stderr, code } = await run(
      MAIN,
      ['connect', server.base, '--session', 'new', '--format', 'text'],
      'hello\n',
    );
    expect(code).toBe(5);
    expect(stdout + stderr).toContain('the agent cannot be started');
    expect(stdout + stderr).not.toContain('code null');
  });
});
