import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { HeadlessRunTurn } from './flags/options.ts';
import { assistant, deferred, messagesIn, start, STREAM, user } from './run.test-support.ts';

/** A turn that yields one message, and ends after an interrupt. */
const untilInterrupted: HeadlessRunTurn = async function* ({ signal }) {
  yield { ...assistant('so far'), message: { id: 'm0', role: 'assistant', content: [] } };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield { ...assistant('so far'), aborted: true };
};

/** Starts an agent, and waits until it is in the middle of a turn. */
async function busy(argv = STREAM, input = user('go'), isEnded = false) {
  const aborted: unknown[] = [];
  const seen = deferred();
  const started = start(argv, {
    async *runTurn(turn) {
      seen.resolve();
      turn.signal.addEventListener('abort', () => aborted.push(turn.signal.reason));
      yield* untilInterrupted(turn);
    },
  });
  started.stdin.write(input);
  if (isEnded) started.stdin.end();
  await seen.promise;
  await new Promise((resolve) => setTimeout(resolve, 10));
  return { ...started, aborted };
}

describe.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s', (signal, expected) => {
  verifies('PROGRAM-23', 'ends a turn at once without further frames, with its exit code', async () => {
    for (const isEnded of [false, true]) {
      const { signals, written, code, aborted } = await busy(STREAM, user('go'), isEnded);
      const before = messagesIn(written.stdout).length;
      signals.emit(signal);
      expect(await code).toBe(expected);
      expect(messagesIn(written.stdout)).toHaveLength(before);
      expect(written.stderr).toBe('');
      expect(aborted).toHaveLength(1);
      expect(signals.eventNames()).toEqual([]);
    }
  });

  test('ends a session that is idle, collects output or waits for its prompt', async () => {
    const idle = start(STREAM);
    const collecting = start(['-p', 'go'], { runTurn: untilInterrupted });
    collecting.stdin.end();
    const waiting = start(['-p']);
    for (const { signals, code, written } of [idle, collecting, waiting]) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      signals.emit(signal);
      expect(await code).toBe(expected);
      expect(written).toEqual({ stdout: '', stderr: '' });
    }
  });
});

describe('SIGINT', () => {
  test('interrupts the turn, drops waiting prompts, and exits with 0 after the result', async () => {
    const { signals, written, code } = await busy(STREAM, user('go') + user('never'));
    signals.emit('SIGINT');
    expect(await code).toBe(0);
    const [init, ...rest] = messagesIn(written.stdout);
    expect(init).toMatchObject({ subtype: 'init' });
    expect(rest).toMatchObject([
      { type: 'assistant' },
      { type: 'assistant', aborted: true },
      { type: 'user', message: { content: [{ text: '[Request interrupted by user]' }] } },
      { type: 'result', subtype: 'error_during_execution', is_error: true },
    ]);
    expect(written.stderr).toBe('');
  });

  test('interrupts a turn also after the end of the input', async () => {
    const { signals, written, code } = await busy(STREAM, user('go') + user('never'), true);
    signals.emit('SIGINT');
    expect(await code).toBe(0);
    expect(messagesIn(written.stdout)).toMatchObject([
      { subtype: 'init' },
      { type: 'assistant' },
      { type: 'assistant', aborted: true },
      { type: 'user', message: { content: [{ text: '[Request interrupted by user]' }] } },
      { type: 'result', subtype: 'error_during_execution', is_error: true },
    ]);
    const shot = await busy(['-p', 'go'], '', true);
    shot.signals.emit('SIGINT');
    expect(await shot.code).toBe(0);
    expect(shot.written).toEqual({ stdout: 'Execution error', stderr: '' });
  });

  test('exits with 0 and no output when the session is idle or has no prompt yet', async () => {
    for (const argv of [STREAM, ['-p']]) {
      const { signals, written, code } = start(argv);
      await new Promise((resolve) => setTimeout(resolve, 10));
      signals.emit('SIGINT');
      expect(await code).toBe(0);
      expect(written).toEqual({ stdout: '', stderr: '' });
    }
  });

  test('exits at once when it comes a second time, also if the turn ignores the first', async () => {
    const { signals, code, stdin } = start(STREAM, { runTurn: () => neverEnding });
    stdin.write(user('go'));
    await new Promise((resolve) => setTimeout(resolve, 10));
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(await code).toBe(0);
  });
});

const neverEnding: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
};
