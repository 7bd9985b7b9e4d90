import { describe, expect, test } from 'vitest';
import { parseArgv } from './parse-argv.ts';

const STREAM = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose'];
const parse = (...argv: string[]) => parseArgv(argv, '1.2.3 (test)');
const optionsOf = (...argv: string[]) => {
  const parsed = parse(...STREAM, ...argv);
  if (parsed.kind !== 'run') throw new Error(parsed.text);
  return parsed.options;
};

describe('a command line', () => {
  test('is read in both forms of a value', () => {
    const sessionId = '01234567-89ab-cdef-0123-456789abcdef';
    const expected = { model: 'm', permissionMode: 'plan', sessionId, includePartialMessages: true };
    expect(
      optionsOf('--model', 'm', '--permission-mode', 'plan', '--session-id', sessionId, '--include-partial-messages'),
    ).toMatchObject(expected);
    expect(
      optionsOf('--model=m', '--permission-mode=plan', `--session-id=${sessionId}`, '--include-partial-messages'),
    ).toMatchObject(expected);
  });

  test('may hold every flag that the published SDKs pass', () => {
    const flags = [
      '--system-prompt=',
      '--append-system-prompt=x',
      '--fallback-model=a,b',
      '--max-turns=3',
      '--max-budget-usd=1.50',
      '--thinking=adaptive',
      '--effort=high',
      '--betas=x',
      '--allowedTools=Bash',
      '--disallowed-tools',
      'Read',
      '--tools=',
      '--permission-prompt-tool=stdio',
      '--allow-dangerously-skip-permissions',
      '--resume=abc',
      '--fork-session',
      '--no-session-persistence',
      '--settings',
      '{}',
      '--setting-sources=',
      '--add-dir=/tmp',
      '--mcp-config',
      '{"mcpServers":{}}',
      '--strict-mcp-config',
      '--plugin-dir=/tmp',
      '--agents',
      '{}',
      '--json-schema={}',
      '--include-hook-events',
      '--replay-user-messages',
      '--debug',
      '--debug-file=/tmp/x',
      '--session-mirror',
    ];
    expect(parse(...STREAM, ...flags)).toMatchObject({ kind: 'run' });
  });

  test('asking for the version gets one line', () => {
    expect(parse('-v')).toEqual({ kind: 'print', text: '1.2.3 (test)\n' });
    expect(parse('--version')).toEqual({ kind: 'print', text: '1.2.3 (test)\n' });
  });

  test.each([
    [['--no-such-flag'], /^error: unknown option '--no-such-flag'\n$/],
    [['--output-format', 'stream-json', '--input-format', 'stream-json'], /--verbose/],
    [['--output-format=xml', '--verbose'], /--output-format/],
    [['--output-format=stream-json', '--verbose', '--input-format=text'], /--input-format/],
    [[...STREAM, '--session-id=7'], /UUID/],
    [[...STREAM, '--model'], /argument missing/],
  ])('%j is refused in one line', (argv, text) => {
    const parsed = parse(...argv);
    expect(parsed).toMatchObject({ kind: 'refuse', text: expect.stringMatching(text) });
    expect('text' in parsed && parsed.text.split('\n')).toHaveLength(2);
  });
});
