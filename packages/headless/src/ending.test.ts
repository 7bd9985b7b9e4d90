import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { createEnding } from './ending.ts';

function setUp() {
  const done: unknown[] = [];
  const ending = createEnding({
    exit: (code) => void done.push(`exit ${code}`),
    onError: (error) => void done.push(error),
  });
  return { done, ending };
}

const ENDED = { code: 0, reason: 'ended' } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('clean-ups', () => {
  verifies('PROGRAM-23', 'run once, the last registered first, also when one of them fails', async () => {
    const { done, ending } = setUp();
    const failed = new Error('no');
    ending.onExit(() => void done.push('first'));
    ending.onExit(() => {
      throw failed;
    });
    ending.onExit(async () => {
      await Promise.resolve();
      done.push('last');
    });
    await Promise.all([ending.end(ENDED), ending.end({ code: 1, reason: 'other' })]);
    expect(done).toEqual(['last', failed, 'first', 'exit 0']);
  });

  verifies('PROGRAM-23', 'that hang delay the exit by 2 seconds at most', async () => {
    const { done, ending } = setUp();
    ending.onExit(() => new Promise<void>(() => {}));
    const ended = ending.end(ENDED);
    await vi.advanceTimersByTimeAsync(1999);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(done).toEqual(['exit 0']);
  });

  verifies('PROGRAM-23', 'receive the first reason to end, and the process exits with its code', async () => {
    const { done, ending } = setUp();
    ending.onExit((why) => void done.push(why));
    ending.decide({ code: 143, reason: 'signal' });
    ending.decide({ code: 129, reason: 'signal' });
    await ending.end({ code: 1, reason: 'other' });
    expect(done).toEqual([{ code: 143, reason: 'signal' }, 'exit 143']);
  });
});
