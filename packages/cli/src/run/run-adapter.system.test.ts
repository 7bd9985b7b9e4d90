import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { MAIN, messagesIn, readUntil, run as runBin, start } from '../bins.test-support.ts';
import { foreignAgent } from './foreign-agent.test-support.ts';

const CODEX = ['run', 'list the files', '--adapter', 'codex'];

describe('an agent with another output format', () => {
  verifies(
    ['ADAPT-2', 'ADAPT-15'],
    'is started with the flags of its format and the prompt on stdin, and shown like any other agent',
    async () => {
      const { stdout, stderr, code } = await runBin(MAIN, [...CODEX, '--', ...foreignAgent('codex-basic.jsonl')]);
      expect(JSON.parse(stderr)).toEqual({ args: ['exec', '--json'], prompt: 'list the files' });
      expect(code).toBe(0);
      await expect(stdout.replaceAll(/\d+\.\d s/g, 'N.N s')).toMatchFileSnapshot('golden.test-support/codex-piped.txt');
      const raw = await runBin(MAIN, ['run', 'x', '--adapter', 'text', '--', ...foreignAgent('codex-basic.jsonl')]);
      expect(raw.stdout).toContain('"thread.started"');
    },
  );

  test('yields valid messages, the result, or the answer alone', async () => {
    const format = async (name: string) =>
      (await runBin(MAIN, [...CODEX, '--format', name, '--', ...foreignAgent('codex-basic.jsonl')])).stdout;
    const [ndjson, json, final] = await Promise.all([format('ndjson'), format('json'), format('final')]);
    expect(await runBin(MAIN, ['validate', '--direction', 'from-agent'], ndjson)).toMatchObject({ code: 0 });
    const result = messagesIn(ndjson).at(-1);
    expect(JSON.parse(json)).toMatchObject({ type: 'result', result: result?.['result'] });
    expect(final.trimEnd()).toBe(String(result?.['result']).trimEnd());
  });

  test.each<[what: string, args: string[], agent: string[], code: number, stderr: string]>([
    ['its own error', [], foreignAgent('codex-api-error.jsonl', 1), 5, ''],
    ['an end without a result', [], foreignAgent('gemini-basic.jsonl'), 5, ''],
    ['invalid lines', [], foreignAgent('noise-codex.jsonl'), 0, 'was skipped: not-json'],
    ['no program', [], ['no-such-agent'], 4, 'no agent "no-such-agent"'],
    ['an unsupported policy', ['--permissions', 'deny'], ['true'], 2, 'does not ask for permissions'],
    [
      'an idle timeout',
      ['--idle-timeout', '300ms'],
      foreignAgent('codex-basic.jsonl', 'stay'),
      7,
      'was silent for 300ms',
    ],
    ['a timeout', ['--timeout', '300ms', '--json'], foreignAgent('codex-basic.jsonl', 'stay'), 7, '"code":"timeout"'],
  ])('%s is reported by the exit code', async (_, args, agent, code, stderr) => {
    const end = await runBin(MAIN, [...CODEX, ...args, '--', ...agent]);
    expect(end).toMatchObject({ code, stderr: expect.stringContaining(stderr) });
  });

  test('requires a known adapter, and a program for the adapter text', async () => {
    const unknown = await runBin(MAIN, ['run', 'x', '--adapter', 'nobody']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('the known backends are claude, codex') });
    const text = await runBin(MAIN, ['run', 'x', '--adapter', 'text', '--format', 'json']);
    expect(text.code).toBe(2);
    expect(JSON.parse(text.stderr)).toMatchObject({ error: { code: 'usage', retryable: false } });
  });

  test('is ended by Ctrl-C, and its result is still written', async () => {
    const child = start(MAIN, [...CODEX, '--json', '--', ...foreignAgent('codex-basic.jsonl', 'stay')]);
    child.stdin.end();
    const stderr = text(child.stderr);
    const before = await readUntil(child, '"tool_result"');
    const rest = text(child.stdout);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code, await stderr).toBe(130);
    expect(messagesIn(before + (await rest)).at(-1)).toMatchObject({ type: 'result' });
  });
});
