/** Tests of `sjp fake`, run as a program. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, messagesIn, prompt, run, STREAM } from '../bins.test-support.ts';

const folder = mkdtempSync(join(FOLDER, 'fake-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const TURN = file('turn.yaml', '- expect-prompt: Hello\n- turn: Hi.\n');
const HOST = file(
  'host.yaml',
  '- prompt: Hello\n- expect: { type: result, subtype: success, result: { $contains: Hello } }\n',
);

describe('sjp fake agent', () => {
  verifies('TEST-1', 'is an agent that a host starts, with the flags of hosts', async () => {
    const args = ['run', 'Hello', '--json', '--', process.execPath, MAIN, 'fake', 'agent', TURN];
    const { code, stdout } = await run(MAIN, args);
    expect({ code, result: messagesIn(stdout).at(-1) }).toMatchObject({ code: 0, result: { result: 'Hi.' } });
  });

  verifies('TEST-1', 'is found under the name of a real agent while a command runs', async () => {
    const seen = join(folder, 'seen');
    const script = `claude --version > '${seen}'; command -v claude >> '${seen}'; exec "$0" "$1" run Hello -- claude`;
    const args = ['fake', 'agent', TURN, '--as-cli', '--', 'sh', '-c', script, process.execPath, MAIN];
    const { code, stdout } = await run(MAIN, args);
    const [version, place = ''] = readFileSync(seen, 'utf8').split('\n');
    expect({ code, version }).toEqual({ code: 0, version: '2.1.330 (fake)' });
    expect(stdout).toContain('Hi.');
    expect(place).toMatch(/claude$/);
    expect(existsSync(place)).toBe(false);
  });

  test('installs an agent of another name, which the caller removes', async () => {
    const { stdout, code } = await run(MAIN, ['fake', 'agent', TURN, '--as-cli', 'my-agent', '--chaos', '--seed', '3']);
    const place = stdout.trim();
    expect(code).toBe(0);
    const PATH = `${place}${delimiter}${process.env['PATH']}`;
    const outcome = await run('my-agent', STREAM, prompt('Hello'), { PATH });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toContain('fake_unknown');
  });

  test('says which step failed', async () => {
    const { code, stderr } = await run(MAIN, ['fake', 'agent', TURN], prompt('Goodbye'));
    expect(code).toBe(6);
    expect(stderr).toMatch(/^sjp fake: Step 1 \(expect-prompt\): .*got "Goodbye"/);
  });

  test('dies of its chaos as a process that is killed, each time at the same byte', async () => {
    const args = ['fake', 'agent', TURN, '--chaos', 'death', '--seed', '6'];
    const outcomes = await Promise.all([1, 2].map(() => run(MAIN, args, prompt('Hello'))));
    // A process that was ended by a signal has no exit code.
    expect(outcomes.map(({ code }) => code)).toEqual([null, null]);
    const lines = outcomes.map(({ stdout }) => stdout.split('\n'));
    expect(lines[0]).toHaveLength(3);
    expect(lines[0]?.map(({ length }) => length)).toEqual(lines[1]?.map(({ length }) => length));
  });

  test.each([
    [['fake', 'agent', join(folder, 'none.yaml')], 'no such file'],
    [['fake', 'agent', HOST, '--chaos', 'rain'], 'unknown kind of chaos: rain'],
    [['fake', 'host', TURN], 'a fake host has no verb expect-prompt'],
    [['fake', 'agent', TURN, '--seed', 'x'], 'The seed must be a whole number.'],
  ])('%j is a wrong command', async (args, message) => {
    const { code, stderr } = await run(MAIN, args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});

describe('sjp fake host', () => {
  verifies('TEST-1', 'drives an agent that it starts', async () => {
    const args = ['fake', 'host', HOST, '--', process.execPath, AGENT, ...STREAM];
    expect(await run(MAIN, args)).toMatchObject({ code: 0, stdout: '' });
  });

  test('ends an agent that does something else', async () => {
    const slow = file('slow.yaml', '- expect-prompt: Hello\n- turn: no greeting\n- expect: { type: never }\n');
    const expects = file('expects.yaml', '- prompt: Hello\n- expect: { type: result, result: other }\n  next: true\n');
    const args = ['fake', 'host', expects, '--', process.execPath, MAIN, 'fake', 'agent', slow];
    const { code, stderr } = await run(MAIN, args);
    expect(code).toBe(6);
    expect(stderr).toContain('Step 2 (expect)');
  });
});
