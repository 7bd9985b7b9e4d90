import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { ofType, run } from '../samples.test-support.ts';
import { builtInBackends } from './backend-registry.ts';
import { type BackendDeclaration, defineBackend, type PromptMode } from './backend.ts';
import { buildInvocation } from './build-invocation.ts';
import { claude } from './claude-amp-qwen.ts';
import { codex } from './codex.ts';
import { kiro, text } from './text-kiro.ts';

const programs = builtInBackends.filter((backend) => backend !== text);
const asking = (promptMode: PromptMode, more: Partial<BackendDeclaration> = {}) =>
  defineBackend({ name: 'x', command: 'x', promptMode, args: () => ['run'], ...more });

verifies(
  'ADAPT-12',
  'a declaration and options give command, arguments, environment and stdin, without side effects',
  () => {
    const options = { prompt: '-n', model: 'm', resume: 'r', cwd: '/w', extraArgs: ['--more'] } as const;
    const invocation = buildInvocation(codex, options);
    expect(invocation).toEqual({
      command: 'codex',
      args: ['exec', 'resume', 'r', '--json', '-m', 'm', '--more'],
      env: {},
      stdin: '-n',
      cwd: '/w',
    });
    expect(buildInvocation(codex, options)).toEqual(invocation);
    const modes: [PromptMode, string[], string | null][] = [
      [{ kind: 'stdin' }, [], 'hi'],
      [{ kind: 'arg' }, ['hi'], null],
      [{ kind: 'arg', terminator: '--' }, ['--', 'hi'], null],
      [{ kind: 'arg', flag: '-p' }, ['-p', 'hi'], null],
      [{ kind: 'arg', flag: '--prompt', join: '=' }, ['--prompt=hi'], null],
      [{ kind: 'none' }, [], null],
    ];
    for (const [mode, args, stdin] of modes) {
      const env = { A: 'b' };
      expect(buildInvocation(asking(mode, { env }), { prompt: 'hi' })).toEqual({
        command: 'x',
        args: ['run', ...args],
        env,
        stdin,
      });
    }
  },
);

verifies('ADAPT-3', 'Claude is started with JSON lines output, and with partial messages on request', () => {
  const { args } = buildInvocation(claude, { prompt: 'hi' });
  expect(args).toEqual(['-p', '--output-format', 'stream-json', '--verbose']);
  expect(buildInvocation(claude, { prompt: 'hi', partial: true }).args).toContain('--include-partial-messages');
});

describe('the prompt', () => {
  test.each(programs.map((backend) => [backend.name, backend] as const))('of %s is not an argument', (_, backend) => {
    const { args, stdin } = buildInvocation(backend, { prompt: 'a secret', autoApprove: true, partial: true });
    expect(args.join(' ')).not.toContain('secret');
    expect(stdin).toBe('a secret');
  });

  test.each([[{ kind: 'arg' }], [{ kind: 'arg', flag: '-p' }]] as const)('cannot begin with a dash with %o', (mode) => {
    expect(() => buildInvocation(asking(mode), { prompt: '--yolo' })).toThrow(TypeError);
  });

  test.each([
    { kind: 'arg', terminator: '--' },
    { kind: 'arg', flag: '--prompt', join: '=' },
  ] as const)('may begin with a dash when the mode prevents its use as a flag: %o', (mode) => {
    expect(buildInvocation(asking(mode), { prompt: '--yolo' }).args.join(' ')).toContain('--yolo');
  });

  test('is refused when it is too long or unsuitable for an argument', () => {
    expect(() => buildInvocation(asking({ kind: 'arg' }), { prompt: 'é'.repeat(70_000) })).toThrow(TypeError);
    expect(() => buildInvocation(asking({ kind: 'arg' }), { prompt: 'a\0b' })).toThrow(TypeError);
  });
});

test('an option value that looks like a flag, or an option without a flag, is refused', () => {
  expect(() => buildInvocation(claude, { prompt: '', model: '--dangerously' })).toThrow(/model/);
  expect(() => buildInvocation(codex, { prompt: '', resume: '-x' })).toThrow(/resume/);
  expect(() => buildInvocation(kiro, { prompt: '', model: 'm' })).toThrow(/model/);
});

test('no backend skips permission prompts unless requested', () => {
  for (const backend of programs) {
    const plain = buildInvocation(backend, { prompt: '' }).args.join(' ');
    expect(plain).not.toMatch(/danger|yolo|bypass|trust|force|allow|auto(?!-update)/);
  }
});

test('a backend without a command cannot be started', () => {
  expect(() => buildInvocation(text, { prompt: '' })).toThrow(TypeError);
});

describe('a declaration', () => {
  verifies('ADAPT-1', 'has the format text by default, and may bring a parser for another format', async () => {
    const plain = defineBackend({ name: 'x', command: 'x', args: () => [] });
    expect(plain.outputFormat).toBe('text');
    expect(ofType((await run(plain, ['{"type":"x"}'])).events, 'text')).toMatchObject([{ text: '{"type":"x"}' }]);

    const custom = defineBackend({
      ...plain,
      outputFormat: 'mine',
      createParser: () => ({ parseEvent: ({ say }) => [{ type: 'text', text: String(say), delta: false }] }),
    });
    expect(ofType((await run(custom, ['{"say":"hi"}'])).events, 'text')).toMatchObject([{ text: 'hi' }]);
    expect(() => defineBackend({ name: 'x', command: 'x', outputFormat: 'mine', args: () => [] })).toThrow(TypeError);
  });

  verifies('ADAPT-11', 'changes from text to JSON lines by its format alone', async () => {
    const declared = { name: 'x', command: 'x', args: () => [] };
    const said = JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } });
    const answers = await Promise.all(
      [declared, { ...declared, outputFormat: 'stream-json' }].map(async (declaration) => {
        return (await run(defineBackend(declaration), [said])).result.text;
      }),
    );
    expect(answers).toEqual([said, 'hi']);
  });
});
