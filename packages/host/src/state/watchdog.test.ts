import type { WatchableTransport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { assistant, hostAndPuppet, permission, rest, result, settled } from '../puppet-agent.test-support.ts';
import { type Silence, Watchdog } from './watchdog.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A host with a silence limit of one second, whose callback returns the verdict. */
function watching(verdict: 'wait' | 'abort') {
  const silences: Silence[] = [];
  const onSilent = (silence: Silence) => {
    silences.push(silence);
    return verdict;
  };
  const both = hostAndPuppet({ watchdog: { silentMs: 1000, onSilent }, canUseTool: () => null });
  return { ...both, silences };
}

const pass = async (ms: number) => {
  await settled();
  await vi.advanceTimersByTimeAsync(ms);
};

describe('the watchdog for the silence of a turn', () => {
  verifies('HOST-20', 'reports each passed limit, and any received byte resets it', async () => {
    const { host, puppet, silences } = watching('wait');
    await host.initialized;
    await pass(5000);
    expect(silences).toEqual([]);
    await host.prompt('go').accepted;
    puppet.say(assistant('working'));
    await pass(900);
    const { lastMessageAt = 0 } = host.liveness;
    // The keep-alive is not yielded, but it proves that the agent is alive.
    puppet.say({ type: 'keep_alive' });
    await pass(900);
    expect(silences).toEqual([]);
    await pass(200);
    expect(silences).toEqual([{ silentMs: 1000, lastMessageAt, lastByteAt: lastMessageAt + 900 }]);
    await pass(2000);
    expect(silences.map(({ silentMs }) => silentMs)).toEqual([1000, 2000, 3000]);
    await host.close();
  });

  verifies('HOST-20', 'does not count silence while the agent waits for the host, or is idle', async () => {
    const { host, puppet, silences } = watching('wait');
    await host.prompt('go').accepted;
    puppet.say(permission('r1'));
    await pass(60_000);
    expect(host.state.questions).toBe(1);
    expect(silences).toEqual([]);
    host.respond('r1', { behavior: 'allow' });
    await pass(1000);
    expect(silences).toHaveLength(1);
    puppet.say(result());
    await pass(60_000);
    expect(silences).toHaveLength(1);
    await host.close();
  });

  verifies('HOST-20', 'ends the session only if the callback says so', async () => {
    const { host, silences } = watching('abort');
    await host.prompt('go').accepted;
    const messages = rest(host).catch((error: unknown) => error);
    await pass(1000);
    expect(silences).toHaveLength(1);
    expect(await messages).toMatchObject({ code: 'aborted', cause: { code: 'timeout' } });
    await pass(60_000);
    expect(silences).toHaveLength(1);
  });
});

test('a watchdog with an infinite limit never reports', async () => {
  const onSilent = vi.fn(() => 'wait' as const);
  const { host } = hostAndPuppet({ watchdog: { silentMs: Number.POSITIVE_INFINITY, onSilent } });
  await host.prompt('go').accepted;
  await pass(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(onSilent).not.toHaveBeenCalled();
  await host.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a pause of reading does not count as silence', async () => {
  let isPaused = true;
  const onSilent = vi.fn(() => 'wait' as const);
  const transport = {
    get liveness() {
      return { lastByteAt: 0, isPaused };
    },
  } as WatchableTransport;
  const liveness = { lastByteAt: 0, lastMessageAt: undefined };
  const watchdog = new Watchdog({ silentMs: 1000, onSilent }, { transport, liveness, abort() {} });
  watchdog.watch(true);
  await pass(5500);
  isPaused = false;
  await pass(900);
  expect(onSilent).not.toHaveBeenCalled();
  await pass(600);
  expect(onSilent).toHaveBeenCalledOnce();
  watchdog.watch(false);
});
