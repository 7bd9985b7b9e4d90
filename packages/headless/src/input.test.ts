import { PassThrough } from 'node:stream';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isResuming } from './flags/check-options.ts';
import type { HeadlessOptions, HeadlessRunTurn } from './flags/options.ts';
import { promptMessages, readPrompt, SILENT_INPUT_MS } from './input.ts';
import { answer, messagesIn, run, user } from './run.test-support.ts';

const OPTIONS: HeadlessOptions = { outputFormat: 'text', inputFormat: 'text' };
const ID = '01234567-89ab-cdef-0123-456789abcdef';

afterEach(() => void vi.useRealTimers());

describe('a prompt in text', () => {
  verifies('PROGRAM-13', 'becomes one user message', () => {
    expect(promptMessages(' a\nb ')).toEqual([
      { type: 'user', session_id: '', message: { role: 'user', content: ' a\nb ' }, parent_tool_use_id: null },
    ]);
  });

  verifies('PROGRAM-13', 'that is blank produces no message', () => {
    for (const blank of ['', ' ', '\n\t \n']) expect(promptMessages(blank)).toEqual([]);
  });

  verifies('CLI-42', 'is required, unless a session is resumed', async () => {
    const problem = 'Input must be provided either through stdin or as a prompt argument when using --print';
    for (const argv of [['-p'], ['-p', ' '], ['-p', '--resume=a title']]) {
      expect(await run(argv, ' \n')).toEqual({ code: 1, stdout: '', stderr: `Error: ${problem}\n` });
    }
    const openSession = () => ({ sessionId: ID, history: [] });
    expect((await run(['-p', `--resume=${ID}`], '', { openSession })).stderr).toBe('Error: No messages returned\n');
  });

  verifies('PROGRAM-5', 'is optional when a session id or the path of a transcript is resumed', () => {
    const resumes = (resume?: string | true) => isResuming({ ...OPTIONS, ...(resume !== undefined && { resume }) });
    expect([resumes(ID), resumes('/tmp/a.jsonl')]).toEqual([true, true]);
    expect([resumes(), resumes(true), resumes('a title'), resumes(`${ID}0`)]).toEqual([false, false, false, false]);
  });

  test('is read from stdin to its end and follows the prompt on the command line', async () => {
    const prompts: unknown[] = [];
    const runTurn: HeadlessRunTurn = (turn) => {
      prompts.push(turn.prompt);
      return answer(turn);
    };
    await run(['-p'], 'from stdin', { runTurn });
    await run(['-p', 'first'], 'second\n', { runTurn });
    expect(prompts).toEqual(['from stdin', 'first\nsecond\n']);
  });

  test('on the command line is ignored when the input is a stream of messages', async () => {
    const argv = ['ignored', '--output-format=stream-json', '--input-format=stream-json', '--verbose'];
    expect(messagesIn((await run(argv, user('one'))).stdout).filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(await run(argv)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('an open stdin', () => {
  test('that stays silent for 3 seconds causes a warning when there is a prompt', async () => {
    vi.useFakeTimers();
    const warnings: string[] = [];
    const stdin = new PassThrough();
    const prompt = readPrompt({ ...OPTIONS, prompt: 'x' }, stdin, (text) => warnings.push(text));
    await vi.advanceTimersByTimeAsync(SILENT_INPUT_MS - 1);
    expect(warnings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await prompt).toBe('x');
    expect(warnings).toEqual([expect.stringMatching(/^Warning: no stdin data received in 3s/)]);
    expect(stdin.destroyed).toBe(true);
  });

  test('is read to its end once it has sent data, or without another prompt', async () => {
    vi.useFakeTimers();
    for (const options of [{ ...OPTIONS, prompt: 'x' }, OPTIONS]) {
      const stdin = new PassThrough();
      const warn = vi.fn();
      const prompt = readPrompt(options, stdin, warn);
      if (options.prompt !== undefined) stdin.write('a');
      await vi.advanceTimersByTimeAsync(SILENT_INPUT_MS * 2);
      stdin.end('b');
      expect(await prompt).toBe(options.prompt === undefined ? 'b' : 'x\nab');
      expect(warn).not.toHaveBeenCalled();
    }
  });

  test('that is a terminal is not read', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    expect(await readPrompt({ ...OPTIONS, prompt: 'x' }, stdin, () => {})).toBe('x');
  });
});
