import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AGENT, MAIN, run as runBin } from '../bins.test-support.ts';
import { run, type RunFlags } from '../commands/run.ts';
import { askingAgent } from './asking-agent.test-support.ts';
import { Terminal } from './terminal.test-support.ts';

const PACKAGE_JSON = `{
  "name": "パッケージ",
  "description": "幅の広い文字 😀, and narrow ones"
}
`;

/** Creates a folder with a file to read, and with further files such as rules. */
async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'run-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'package.json': PACKAGE_JSON, ...files })) {
    await writeFile(join(folder, name), text);
  }
  return folder;
}

const OPTIONS: RunFlags = { format: 'text', permissions: 'ask', until: 'turn', color: 'auto' };
const runOn = (
  terminal: Terminal,
  prompt: string,
  options: Partial<RunFlags> = {},
  agent: [string, ...string[]] = [AGENT],
) => run(prompt, agent, { ...OPTIONS, ...options }, terminal);

/** Replaces the parts that differ from run to run. */
const steady = (text: string) => text.replaceAll(/\d+\.\d s/g, 'N.N s').replaceAll(/\$\d+\.\d{4}/g, '$N.NNNN');
const golden = (name: string) => join(import.meta.dirname, 'golden.test-support', name);

describe('sjp run on a terminal', () => {
  test('asks for permissions, and shows the contents of the file and the cost', async () => {
    const terminal = new Terminal(await folderWith()).answers('allow? [y]es, [n]o: ', 'y');
    expect(await runOn(terminal, '/read package.json', {}, askingAgent())).toBe(0);
    await expect(steady(terminal.screen)).toMatchFileSnapshot(golden('read-terminal.txt'));
  });

  test('lets the user answer a question by its number', async () => {
    const terminal = new Terminal(await folderWith(), { NO_COLOR: '1' }).answers('answer: ', '2');
    expect(await runOn(terminal, '/ask Which one?|一つ|二つ')).toBe(0);
    await expect(steady(terminal.screen)).toMatchFileSnapshot(golden('ask-terminal.txt'));
  });

  test('asks for a command, but not for a file that the rules of the agent allow', async () => {
    const terminal = new Terminal(await folderWith(), { NO_COLOR: '1' }).answers('allow? [y]es, [n]o, [a]lways: ', 'y');
    expect(await runOn(terminal, '/read package.json\n/bash echo 幅の広い文字 | tr a b')).toBe(0);
    await expect(steady(terminal.screen)).toMatchFileSnapshot(golden('commands-terminal.txt'));
  });

  test('interrupts the turn at the first Ctrl-C, and still shows its result', async () => {
    const terminal = new Terminal(await folderWith(), { NO_COLOR: '1' });
    const done = runOn(terminal, '/slow 60');
    await vi.waitFor(() => expect(terminal.screen).toContain('1 2 3'), 10_000);
    terminal.emit('SIGINT');
    expect(await done).toBe(130);
    expect(steady(terminal.screen)).toMatch(/^1 2 3 [\d ]*\n■ interrupted after N\.N s/);
    expect(terminal.listenerCount('SIGINT') + terminal.listenerCount('SIGTERM')).toBe(0);
  });

  test('withdraws a question at Ctrl-C and denies its call', async () => {
    const terminal = new Terminal(await folderWith(), { NO_COLOR: '1' });
    const done = runOn(terminal, 'anything', {}, askingAgent());
    await vi.waitFor(() => expect(terminal.screen).toContain('allow?'), 10_000);
    terminal.emit('SIGINT');
    expect(await done).toBe(130);
    expect(terminal.screen).not.toMatch(/^ran$/m);
  });

  test('ends an agent that ignores signals at the third Ctrl-C', async () => {
    const terminal = new Terminal(await folderWith());
    const deaf = `process.on('SIGTERM', () => {}); console.error('up'); setInterval(() => {}, 1000)`;
    const done = runOn(terminal, 'x', {}, [process.execPath, '-e', deaf, '--']);
    await vi.waitFor(() => expect(terminal.screen).toContain('up'), 10_000);
    for (let times = 1; times <= 3; times++) terminal.emit('SIGINT');
    expect(await done).toBe(130);
  });
});

describe('sjp run without a terminal', () => {
  test('writes plain text, and denies calls that need a question', async () => {
    const terminal = new Terminal(await folderWith());
    const pipe = Object.assign(terminal, { stdin: new PassThrough() });
    Object.assign(terminal.stdout, { isTTY: false, columns: undefined });
    expect(await runOn(pipe, '/read package.json', {}, askingAgent())).toBe(8);
    await expect(steady(terminal.screen)).toMatchFileSnapshot(golden('denied-piped.txt'));
  });

  test('writes only the messages of the format', async () => {
    const format = (name: string, ...args: string[]) => runBin(MAIN, ['run', '/echo 世界', '--format', name, ...args]);
    expect(await format('final')).toEqual({ stdout: '世界\n', stderr: '', code: 0 });
    const json = await format('json');
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'result', result: '世界' });
    const types = (await format('ndjson', '--until', 'exit')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toContain('stream_event');
    expect(types.filter((type) => type === 'assistant' || type === 'result')).toEqual(['assistant', 'result']);
    expect(await format('text')).toMatchObject({ stdout: expect.stringMatching(/^世界\n✔ done in .*\n$/), code: 0 });
  });

  test('a timeout covers the end of an agent that does not end by itself', async () => {
    const late = `process.on('SIGTERM', () => {}); setTimeout(() => console.error('late'), 2500); setInterval(() => {}, 1000)`;
    const outcome = await runBin(MAIN, ['run', 'x', '--timeout', '1s', '--', process.execPath, '-e', late, '--']);
    expect(outcome).toEqual({ stdout: '', stderr: 'sjp run: stopped after 1s\n', code: 7 });
  });

  test('takes the prompt from an argument, a file or stdin, and never passes it as an argument to the agent', async () => {
    const folder = await folderWith({ 'prompt.txt': '/echo from a file' });
    const answer = async (args: string[], input = '') =>
      (await runBin(MAIN, ['run', '--format', 'final', ...args], input)).stdout;
    expect(await answer(['/echo from an argument'])).toBe('from an argument\n');
    expect(await answer(['--input', join(folder, 'prompt.txt')])).toBe('from a file\n');
    expect(await answer([], '/echo from stdin')).toBe('from stdin\n');
    expect(await answer(['-'], '/echo from stdin')).toBe('from stdin\n');
    const report = `console.error(JSON.stringify(process.argv.slice(1)))`;
    const outcome = await runBin(MAIN, ['run', 'a secret', '--', process.execPath, '-e', report, '--', '--model', 'm']);
    expect(outcome.stderr).toContain('["--model","m","--output-format","stream-json"');
    expect(outcome.stderr).not.toContain('secret');
  });

  test('ends by the first message that it shows with the awaited state, not by later messages that have arrived', async () => {
    const state = (now: string) => ({ type: 'system', subtype: 'session_state_changed', state: now });
    const result = (is_error: boolean) => ({ type: 'result', subtype: 'success', is_error });
    const messages = [state('running'), result(false), state('idle'), result(true)];
    // All messages are written at once, so the last message has arrived when the first is shown. The agent exits when its input ends.
    const agent = `process.stdin.once('data', (text) => {
      const [, request_id] = /"request_id":"([^"]*)"/.exec(text);
      const answer = { type: 'control_response', response: { subtype: 'success', request_id, response: {} } };
      const messages = [answer, ...${JSON.stringify(messages)}];
      process.stdout.write(messages.map((message) => JSON.stringify(message) + '\\n').join(''));
    })`;
    const run = async (until: string) => {
      const flags = ['--until', until, '--format', 'ndjson'];
      const end = await runBin(MAIN, ['run', 'x', ...flags, '--', process.execPath, '-e', agent, '--']);
      return {
        code: end.code,
        shown: end.stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      };
    };
    expect(await run('turn')).toEqual({ code: 0, shown: messages.slice(0, 2) });
    expect(await run('idle')).toEqual({ code: 0, shown: messages.slice(0, 3) });
    expect(await run('exit')).toEqual({ code: 5, shown: messages });
  });

  test('reports a message that does not match its declaration, and still applies it', async () => {
    const result = { type: 'result', subtype: 'success', is_error: false, result: 'fine', usage: {} };
    const agent = `process.stdin.resume(); console.log(${JSON.stringify(JSON.stringify(result))})`;
    const end = await runBin(MAIN, ['run', 'x', '--format', 'final', '--', process.execPath, '-e', agent, '--']);
    expect(end.stdout).toBe('fine\n');
    expect(end.stderr).toContain(
      'a message from the agent (result) does not match its schema: duration_ms: expected number',
    );
  });

  test('shows files as plain text when they are allowed, and logs each decision on a line', async () => {
    const terminal = new Terminal(await folderWith());
    Object.assign(terminal.stdout, { isTTY: false, columns: undefined });
    expect(await runOn(terminal, '/read package.json', { permissions: 'allow' }, askingAgent())).toBe(0);
    await expect(steady(terminal.screen)).toMatchFileSnapshot(golden('read-piped.txt'));
    const args = ['run', 'ls', '--permissions', 'deny', '--format', 'json', '--fail-on-deny', '--', ...askingAgent()];
    const json = await runBin(MAIN, args);
    expect(JSON.parse(json.stderr)).toEqual({
      permission: { tool: 'Bash', call: 'Bash(ls)', behavior: 'deny', source: 'default', by: 'no rule, default deny' },
    });
    expect(json.code).toBe(8);
  });

  test('decides by rules, and logs each decision on a line', async () => {
    const folder = await folderWith({ 'rules.json': '{"allow":["Bash(echo *)"],"ask":["Write"]}' });
    const rules = `rules:${join(folder, 'rules.json')}`;
    const prompt = '/bash echo one\n/bash ls\n/write a.txt x';
    const { stderr, code } = await runBin(MAIN, ['run', prompt, '--permissions', rules]);
    expect(stderr.split('\n')).toEqual([
      '? Bash(echo one) allowed: rule allow Bash(echo *)',
      '? Bash(ls) denied: no rule, default deny',
      '? Write(a.txt) denied: no user is available to ask',
      '',
    ]);
    expect(code).toBe(8);
    const json = await runBin(MAIN, ['run', '/bash ls', '--permissions', rules, '--format', 'json', '--fail-on-deny']);
    expect(JSON.parse(json.stderr)).toEqual({
      permission: { tool: 'Bash', call: 'Bash(ls)', behavior: 'deny', source: 'default', by: 'no rule, default deny' },
    });
    expect(json.code).toBe(8);
  });

  test.each<[what: string, args: string[], code: number, stderr: string]>([
    ['no prompt', [], 2, 'the prompt is missing'],
    ['two prompts', ['x', '--input', 'y'], 2, 'give the prompt only once'],
    ['a missing file', ['--input', '/no/such/file'], 2, 'cannot open /no/such/file: no such file'],
    ['a duration without a unit', ['x', '--timeout', '5'], 2, '--timeout must be'],
    ['missing rules', ['x', '--permissions', 'rules:/no/such'], 2, 'cannot read /no/such: no such file or directory'],
    ['invalid rules', ['x', '--permissions', 'rules:/dev/null'], 2, '/dev/null: '],
    ['an invalid policy', ['x', '--permissions', 'maybe'], 2, 'rules:FILE'],
    ['a result that is an error', ['/fail max_turns'], 5, ''],
    ['an unknown flag', ['x', '--nonsense'], 2, '--nonsense'],
    ['no such agent', ['x', '--', 'no-such-agent'], 4, 'no agent "no-such-agent"'],
    [
      'no such agent, for a program',
      ['x', '--format', 'json', '--', 'no-such-agent'],
      4,
      '{"error":{"code":"agent-not-found"',
    ],
    ['an agent that crashes', ['/crash', '--', ...askingAgent()], 5, 'the agent exited with code 3'],
    ['an agent that says nothing', ['x', '--', 'true'], 1, 'sjp run: '],
    ['a timeout', ['/slow 60', '--timeout', '1s'], 7, 'stopped after 1s'],
  ])('%s', async (_, args, code, stderr) => {
    expect(await runBin(MAIN, ['run', ...args])).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
  });
});
