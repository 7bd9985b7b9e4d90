import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { AGENT, FOLDER, MAIN, messagesIn, outcomeOf, prompt, start, STREAM } from './bins.test-support.ts';

/** A shell pipeline whose first program reports its exit code on stderr. */
const pipeline = (command: string, rest: string, environment?: Readonly<Record<string, string>>) =>
  outcomeOf(start('sh', ['-c', `{ ${command}; echo "code $?" >&2; } | ${rest}`], environment), '');

/** An agent that imports the built packages: the body of its turn, and its flags. */
const agentOf = (body: string) => [
  '--input-type=module',
  '-e',
  `import { runHeadless } from '@proto/headless';
  const said = (text) => ({
    type: 'assistant',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
  await runHeadless({ name: 'test', process: { argv: process.argv.slice(1) }, async *runTurn() { ${body} } });`,
  '--',
];

// These tests start many processes at once.
const LIMIT = { timeout: 30_000 };

describe.concurrent('a result of 8 MiB', LIMIT, () => {
  const SIZE = 8 * 1024 * 1024;
  const big = agentOf(`yield said('x'.repeat(${SIZE}));`);
  const failing = agentOf(`yield said('x'.repeat(${SIZE})); throw new Error('no');`);

  verifies(
    ['OUTPUT-4', 'PROGRAM-11'],
    'arrives whole through a slow reader, in every format and with both exit codes',
    async () => {
      const slowly = (agent: readonly string[], flags: string) =>
        pipeline(`node --input-type=module -e "$AGENT" -- -p x ${flags}`, '(sleep 2; wc -c)', {
          AGENT: agent[2] ?? '',
        });
      const [plain, json, lines] = await Promise.all([
        slowly(big, ''),
        slowly(failing, '--output-format=json --verbose'),
        slowly(failing, '--output-format=stream-json --verbose'),
      ]);
      expect(plain).toMatchObject({ stdout: `${SIZE + 1}\n`, stderr: 'code 0\n' });
      for (const { stdout, stderr } of [json, lines]) {
        expect(Number(stdout)).toBeGreaterThan(SIZE);
        expect(stderr).toBe('code 1\n');
      }
    },
  );
});

describe.concurrent('an agent as a process', LIMIT, () => {
  verifies(
    ['CLI-1', 'PROGRAM-15'],
    'reads a line, answers in lines and exits with 0; --debug logs the messages that it reads',
    async () => {
      const file = join(FOLDER, 'debug');
      const [quiet, loud, filed] = await Promise.all([
        outcomeOf(start(AGENT, ['--print', ...STREAM]), prompt('/echo hi')),
        outcomeOf(start(AGENT, ['--print', ...STREAM, '--debug']), prompt('/echo hi')),
        outcomeOf(start(AGENT, ['--print', ...STREAM, `--debug-file=${file}`]), prompt('/echo hi')),
      ]);
      for (const { stdout, code } of [quiet, loud, filed]) {
        expect(messagesIn(stdout).map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
        expect(code).toBe(0);
      }
      expect([quiet.stderr, filed.stderr]).toEqual(['', '']);
      expect(loud.stderr).toMatch(/^\S+ \[DEBUG\] read a message of type "user"\n$/);
      expect(readFileSync(file, 'utf8')).toContain('of type "user"');
    },
  );

  verifies('OUTPUT-3', 'reserves stdout for its messages, whatever is logged', async () => {
    const body = `console.log('noise'); console.table([1]); yield said('hi');`;
    const { stdout, stderr, code } = await outcomeOf(start(process.execPath, [...agentOf(body), '-p', 'x']), '');
    expect({ stdout, code }).toEqual({ stdout: 'hi\n', code: 0 });
    expect(stderr).toContain('noise');
  });

  verifies('OUTPUT-5', 'ends quietly when its reader closes the pipe', async () => {
    const commands = [
      `"${AGENT}" -p '/slow 1' --output-format=stream-json --verbose`,
      `"${AGENT}" -p '/echo a'`,
      `"${AGENT}" -p '/echo a' --output-format=json`,
      `"${AGENT}" --explain-flags`,
      `"${MAIN}" demo`,
    ];
    const ends = await Promise.all(
      commands.flatMap((command) => ['head -1', 'true'].map((rest) => pipeline(command, rest))),
    );
    for (const { stderr } of ends) expect(stderr).toMatch(/^code (0|141)\n$/);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 0],
  ] as const)('exits with its code on %s, during a turn or idle', async (signal, code) => {
    const busy = start(AGENT, [...STREAM, '--include-partial-messages']);
    busy.stdin.write(prompt('/slow 60'));
    await once(busy.stdout, 'data');
    const startedAt = performance.now();
    busy.kill(signal);
    expect(await outcomeOf(busy)).toMatchObject({ code, signal: null, stderr: '' });
    // Without the signal, the turn would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(5000);
    const idle = start(AGENT, STREAM);
    idle.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
    await once(idle.stdout, 'data');
    idle.kill(signal);
    expect(await outcomeOf(idle)).toMatchObject({ stdout: '', code, signal: null, stderr: '' });
  });

  test('lists its flags without effect with --explain-flags, also as `sjp agent`', async () => {
    const [direct, through] = await Promise.all([
      outcomeOf(start(AGENT, ['--explain-flags']), ''),
      outcomeOf(start(MAIN, ['agent', '--explain-flags']), ''),
    ]);
    expect(direct).toMatchObject({ code: 0, stderr: '' });
    expect(direct.stdout).toContain('--task-budget <tokens>');
    expect(through).toEqual(direct);
  });
});
