import { verifies } from '@proto/test-support/verifies';
import { Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { FLAGS } from './flags.ts';
import { parseArgv } from './parse-argv.ts';

const STREAM = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'];
const ID = '01234567-89ab-cdef-0123-456789abcdef';
const parse = (...argv: string[]) => parseArgv(argv, '1.2.3 (test)');
const optionsOf = (...argv: string[]) => {
  const parsed = parse(...STREAM, ...argv);
  if (parsed.kind !== 'run') throw new Error(JSON.stringify(parsed));
  return parsed.options;
};

describe('a flag', () => {
  test('is stored in the options under the name that commander derives from its notation', () => {
    for (const [name, { notation }] of Object.entries(FLAGS)) expect(new Option(notation).attributeName()).toBe(name);
  });

  verifies('PROGRAM-16', 'gives the same option for `--flag value` and `--flag=value`', () => {
    const cases: readonly (readonly [flag: string, value: string, option: object])[] = [
      ['--model', 'm', { model: 'm' }],
      ['--fallback-model', 'a,b', { fallbackModel: ['a', 'b'] }],
      ['--system-prompt', '', { systemPrompt: '' }],
      ['--append-system-prompt', 'x', { appendSystemPrompt: 'x' }],
      ['--permission-mode', 'plan', { permissionMode: 'plan' }],
      ['--permission-prompt-tool', 'stdio', { permissionPromptTool: 'stdio' }],
      ['--allowedTools', 'Bash(git log:*), Read', { allowedTools: ['Bash(git log:*)', 'Read'] }],
      ['--allowed-tools', 'Bash Read', { allowedTools: ['Bash', 'Read'] }],
      ['--disallowed-tools', 'Bash', { disallowedTools: ['Bash'] }],
      ['--disallowedTools', 'Bash', { disallowedTools: ['Bash'] }],
      ['--tools', '', { tools: [] }],
      ['--tools', 'default', { tools: 'default' }],
      ['--tools', '{"type":"preset"}', { tools: 'default' }],
      ['--max-turns', '3', { maxTurns: 3 }],
      ['--max-budget-usd', '1.50', { maxBudgetUsd: 1.5 }],
      ['--task-budget', '1000', { taskBudget: 1000 }],
      ['--thinking', 'enabled', { thinking: 'enabled' }],
      ['--max-thinking-tokens', '0', { maxThinkingTokens: 0 }],
      ['--session-id', ID, { sessionId: ID }],
      ['--resume', 'a title', { resume: 'a title' }],
      ['--teleport', 'a', { teleport: 'a' }],
      ['--rewind-files', ID, { rewindFiles: ID }],
      ['--sdk-url', 'wss://host', { sdkUrl: 'wss://host' }],
      ['--agent', 'a', { agent: 'a' }],
      ['--agents', '{"a":{}}', { agents: { a: {} } }],
      ['--workload', 'w', { workload: 'w' }],
      ['--json-schema', '{"type":"object"}', { jsonSchema: { type: 'object' } }],
      ['--settings', '{"a":1}', { settings: { a: 1 } }],
      ['--settings', 'a.json', { settings: 'a.json' }],
      ['--setting-sources', '', { settingSources: [] }],
      ['--setting-sources', 'user,local', { settingSources: ['user', 'local'] }],
      ['--mcp-config', '{"mcpServers":{}}', { mcpConfig: [{ mcpServers: {} }] }],
      ['--add-dir', '/a b', { addDir: ['/a b'] }],
    ];
    for (const [flag, value, option] of cases) {
      expect(optionsOf(flag, value), flag).toMatchObject(option);
      expect(optionsOf(`${flag}=${value}`), flag).toMatchObject(option);
    }
    const switches = ['--continue', '--fork-session', '--replay-user-messages', '--include-partial-messages'];
    expect(optionsOf(...switches, '--enable-auth-status', '--init', '--maintenance', '--resume')).toMatchObject({
      verbose: true,
      outputFormat: 'stream-json',
      continue: true,
      forkSession: true,
      replayUserMessages: true,
      includePartialMessages: true,
      enableAuthStatus: true,
      init: true,
      maintenance: true,
      resume: true,
    });
    expect(optionsOf('--resume=a', '--resume-session-at=b')).toMatchObject({ resume: 'a', resumeSessionAt: 'b' });
    expect(optionsOf('--add-dir', '/a', '--add-dir=/b')).toMatchObject({ addDir: ['/a', '/b'] });
  });

  test('that may be repeated collects its values', () => {
    expect(optionsOf('--add-dir=/a', '--add-dir', '/b', '/c', '--verbose')).toMatchObject({
      addDir: ['/a', '/b', '/c'],
    });
    expect(optionsOf('--allowedTools=A', '--allowed-tools=B,C')).toMatchObject({ allowedTools: ['A', 'B', 'C'] });
    expect(optionsOf('--setting-sources=user', '--setting-sources=project')).toMatchObject({
      settingSources: ['user', 'project'],
    });
    expect(optionsOf('--mcp-config={}', '--mcp-config=x.json')).toMatchObject({ mcpConfig: [{}, 'x.json'] });
  });

  test('that requires another flag is accepted together with that flag', () => {
    const argv = [`--session-id=${ID}`, '--continue', '--fork-session'];
    expect(optionsOf(...argv)).toMatchObject({ sessionId: ID, continue: true, forkSession: true });
    expect(optionsOf('--resume=a', '--resume-session-at=b', '--resume-drops-turn=c')).toMatchObject({
      resumeDropsTurn: 'c',
    });
  });

  test('that is not given is absent from the options', () => {
    expect(optionsOf()).toEqual({
      outputFormat: 'stream-json',
      inputFormat: 'stream-json',
      verbose: true,
      sessionPersistence: true,
    });
    expect(optionsOf('--no-session-persistence')).toMatchObject({ sessionPersistence: false });
  });
});

describe('a command line', () => {
  test('may contain every flag that the published SDKs pass', () => {
    const flags = ['--betas=x', '--effort=high', '--allow-dangerously-skip-permissions', '--strict-mcp-config'];
    const further = [
      '--plugin-dir=/tmp',
      '--include-hook-events',
      '--debug',
      '--debug-file=/tmp/x',
      '--session-mirror',
    ];
    expect(parse(...STREAM, ...flags, ...further)).toMatchObject({ kind: 'run', warnings: [] });
  });

  test('that asks for the version returns one line', () => {
    expect(parse('-v')).toEqual({ kind: 'print', text: '1.2.3 (test)\n' });
    expect(parse('--version')).toEqual({ kind: 'print', text: '1.2.3 (test)\n' });
  });

  test.each([
    [['auth', 'status'], { name: 'status', format: 'json' }],
    [['auth', 'status', '--json'], { name: 'status', format: 'json' }],
    [['auth', 'status', '--text'], { name: 'status', format: 'text' }],
    // The published ACP adapter passes settings before the command.
    [['--settings', '{"a":1}', 'auth', 'status', '--json'], { name: 'status', format: 'json' }],
    [['auth', 'login'], { name: 'login' }],
    [['auth', 'logout'], { name: 'logout' }],
  ])('with the words %j asks about the sign-in', (argv, command) => {
    expect(parse(...argv)).toEqual({ kind: 'auth', command });
  });

  test('with the word auth alone has a prompt', () => {
    expect(parse('-p', 'auth')).toMatchObject({ kind: 'run', options: { prompt: 'auth' } });
    expect(parse('-p', 'auth status')).toMatchObject({ kind: 'run', options: { prompt: 'auth status' } });
  });

  test.each([
    [['--no-such-flag'], /^error: unknown option '--no-such-flag'\n$/],
    [['--modle'], /^error: unknown option '--modle' \(Did you mean --model\?\)\n$/],
    [['--output-format', 'stream-json', '--input-format', 'stream-json'], /requires --verbose/],
    [
      ['--output-format=xml', '--verbose'],
      /^error: option '--output-format <format>' argument 'xml' is invalid\. Allowed/,
    ],
    [['--input-format=stream-json', '--output-format=text'], /^Error: --input-format=stream-json requires/],
    [['--replay-user-messages', 'x'], /^Error: --replay-user-messages requires both/],
    [['--include-partial-messages', '--output-format=json', 'x'], /^Error: --include-partial-messages requires/],
    [[...STREAM, '--session-id=7'], /^Error: Invalid session ID/],
    [[...STREAM, `--session-id=${ID}`, '--resume=x'], /--fork-session/],
    [[...STREAM, '--resume=x', '--resume-drops-turn=y'], /--resume-drops-turn requires/],
    [[...STREAM, '--model'], /argument missing/],
    [['--max-turns=many'], /'many' is invalid/],
    [['--max-turns=0'], /'0' is invalid/],
    [['--max-budget-usd=0'], /must be a positive number greater than 0/],
    [['--max-budget-usd='], /must be a positive number/],
    [['--permission-mode=yolo'], /Allowed choices are default/],
    [['--thinking=deep'], /Allowed choices are adaptive, disabled, enabled/],
    [['--setting-sources=user,moon'], /Allowed choices are user, project, local/],
    [['--json-schema={\n"a":'], /not valid JSON/],
    [['--agents=[]'], /must be a JSON object/],
    [['one', 'two'], /too many arguments: 2 words\. Put a prompt .* commands are auth status, auth login/],
    [['mcp', 'list'], /too many arguments/],
    [['auth', 'bogus'], /too many arguments/],
    [['auth', 'status', '--yaml'], /^error: unknown option '--yaml'/],
    [['auth', 'status', 'more'], /too many arguments/],
  ])('%j is refused in one line', (argv, text) => {
    const parsed = parse(...argv);
    expect(parsed).toMatchObject({ kind: 'refuse', text: expect.stringMatching(text) });
    expect('text' in parsed && parsed.text.split('\n')).toHaveLength(2);
  });
});
