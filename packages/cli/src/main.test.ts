import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { AGENT, MAIN, prompt, run, start, STREAM } from './bins.test-support.ts';

describe('sjp', () => {
  test('agent accepts and refuses the same flags as sjp-agent', async () => {
    const input = prompt('/echo hi');
    const [direct, through] = await Promise.all([run(AGENT, STREAM, input), run(MAIN, ['agent', ...STREAM], input)]);
    for (const { stdout, stderr, code } of [direct, through]) {
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'result', result: 'hi' });
    }
    expect(await run(MAIN, ['agent', '-v'])).toEqual(await run(AGENT, ['-v']));
    expect(await run(MAIN, ['agent', '--nonsense'])).toEqual(await run(AGENT, ['--nonsense']));
  });

  test('validate exits with 6 for an invalid line, and with 2 for a wrong flag', async () => {
    expect(await run(MAIN, ['validate'], '{"type":"keep_alive"}\n')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(MAIN, ['validate', '-', '--json'], 'hello\n')).toMatchObject({ code: 6, stderr: '' });
    expect(await run(MAIN, ['validate', '--direction', 'sideways'])).toMatchObject({ code: 2, stdout: '' });
    const missing = await run(MAIN, ['validate', '/no/such/file', '--json']);
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'usage', retryable: false } });
  });

  test('convert reads the output of another agent, and exits with 2 for a wrong flag', async () => {
    const line = '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"hi"}}\n';
    const { stdout, stderr, code } = await run(MAIN, ['convert', '--from', 'codex', '--exit-code', '143'], line);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      terminal_reason: 'aborted_streaming',
    });
    const withCode = (text: string) => ['--from', 'codex', '--exit-code', text];
    for (const flags of [[], ['--from', 'nobody'], withCode('x'), withCode('256')]) {
      expect(await run(MAIN, ['convert', ...flags])).toMatchObject({ code: 2, stdout: '' });
    }
  });

  test('prints help with the examples first, and suggests a command for an unknown word', async () => {
    expect((await run(MAIN, ['--help'])).stdout).toMatch(/^Examples:\n[\s\S]*agent[\s\S]*demo/);
    for (const command of ['run', 'serve', 'connect', 'validate', 'convert']) {
      expect((await run(MAIN, [command, '--help'])).stdout).toMatch(/^Examples:\n/);
    }
    expect(await run(MAIN, ['dmeo'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: unknown command 'dmeo'\n(Did you mean demo?)\n",
    });
  });

  test('prints the commands in groups, in the order of their use', async () => {
    const { stdout } = await run(MAIN, ['--help']);
    const groups = stdout.split(/^(?=\S.*:$)/m).map((text) => {
      const [heading = '', ...lines] = text.split('\n');
      return [heading, lines.flatMap((line) => /^ {2}([a-z-]+) /.exec(line)?.[1] ?? [])] as const;
    });
    const { commands } = JSON.parse((await run(MAIN, ['--help', '--json'])).stdout);
    const grouped = groups.filter(([heading]) => !['Examples:', 'Options:', 'Commands:'].includes(heading));
    expect(grouped.map(([heading]) => heading)).toEqual([
      'Run an agent:',
      'Look at a session:',
      'Serve sessions to other machines:',
      'Test a host, an agent or a server:',
      'Set up:',
    ]);
    expect(grouped[0]?.[1]).toEqual(['demo', 'run', 'acp', 'acp-agent', 'doctor']);
    expect(grouped.flatMap(([, names]) => names)).toEqual([
      ...commands.map(({ name }: { name: string }) => name),
      'help',
    ]);
  });

  test('prints its commands as JSON with --help --json', async () => {
    const help = async (...args: string[]) => JSON.parse((await run(MAIN, [...args, '--help', '--json'])).stdout);
    const [whole, one] = await Promise.all([help(), help('run')]);
    expect(whole.commands.map(({ name }: { name: string }) => name)).toContain('validate');
    expect(whole.commands).toContainEqual(one);
    const envOf = (name: string) =>
      whole.commands
        .find((command: { name: string }) => command.name === name)
        .options.map(({ env }: { env: string }) => env);
    expect(envOf('serve')).toEqual(expect.arrayContaining(['SJP_LISTEN', 'SJP_STORE', 'SJP_SERVE_TOKEN_FILE']));
    expect(envOf('connect')).toEqual(expect.arrayContaining(['SJP_SESSION', 'SJP_SINCE', 'SJP_CURSOR_FILE']));
    expect(envOf('demo')).toContain('SJP_DEMO_FAULT');
    expect(one.options).toContainEqual({
      flags: '--until <end>',
      description: expect.any(String),
      required: false,
      choices: ['turn', 'idle', 'exit'],
      default: 'turn',
      env: 'SJP_UNTIL',
    });
  });

  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const printed = { stdout: `${version}\n`, stderr: '', code: 0 };
    expect(await Promise.all([run(MAIN, ['--version']), run(MAIN, ['-v'])])).toEqual([printed, printed]);
  });

  test('reports usage errors as JSON when JSON output is requested', async () => {
    for (const format of [['--json'], ['--format', 'json'], ['--format=ndjson']]) {
      const { code, stderr } = await run(MAIN, ['run', 'x', ...format, '--nonsense']);
      expect(code).toBe(2);
      expect(JSON.parse(stderr)).toEqual({
        error: { code: 'usage', message: "unknown option '--nonsense'", retryable: false },
      });
    }
    expect((await run(MAIN, ['run', 'x', '--nonsense'])).stderr).toBe("error: unknown option '--nonsense'\n");
  });

  test('takes options from environment variables, unless the command line sets them', async () => {
    const answer = async (variables: Record<string, string>, ...args: string[]) =>
      (await run(MAIN, ['run', '/echo hi', ...args], '', variables)).stdout;
    expect(await answer({ SJP_FORMAT: 'final' })).toBe('hi\n');
    expect(await answer({ SJP_FORMAT: 'ndjson' }, '--format', 'final')).toBe('hi\n');
    expect(await answer({ SJP_FORMAT: '', SJP_JSON: '0' })).toContain('done in');
    expect(await answer({ SJP_JSON: '1' })).toContain('{"type":"system","subtype":"init"');
  });

  test.each([['validate'], ['convert', '--from', 'codex'], ['run', '/echo hi']])(
    '%s reports in one line that its output cannot be written',
    async (...args) => {
      // /dev/full fails every write with ENOSPC.
      const child = start('sh', ['-c', 'exec "$@" > /dev/full', 'sh', MAIN, ...args]);
      child.stdin.end('{"type":"keep_alive"}\n');
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect({ stderr, code }).toEqual({ stderr: 'sjp: cannot write the output: ENOSPC\n', code: 1 });
    },
  );

  test.each([
    ['the agent', AGENT, STREAM],
    ['the agent as a command', MAIN, ['agent', ...STREAM]],
    ['the demo', MAIN, ['demo']],
    ['a run', MAIN, ['run', '/slow 1']],
  ])('%s ends quietly when its output is closed', async (_, bin, args) => {
    const child = start(bin, args);
    child.stdin.end(prompt('/slow 1'));
    const stderr = text(child.stderr);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect({ code, stderr: await stderr }).toEqual({ code: 0, stderr: '' });
  });
});
