import { defineTransport, incomingMessage, type TransportControl } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { HostSessionOptions } from '../host-options.ts';
import { createHostSession } from '../host-session.ts';
import { permission } from '../puppet-agent.test-support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A host with an open permission question, over a link that can go down. */
async function asked(options: Pick<HostSessionOptions, 'onDisconnect'> = {}) {
  const written: string[] = [];
  let control!: TransportControl;
  const transport = defineTransport('scripted', (given) => {
    control = given;
    given.opened();
    return {
      write: (batch) => void written.push(...[...batch.messages()].map(({ text }) => text)),
      close: () => given.closed(),
      abort: () => given.closed(),
    };
  });
  const session = createHostSession(transport, { canUseTool: () => null, ...options });
  control.receive([incomingMessage(JSON.stringify(permission('R1')))]);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  await pass(0);
  return {
    session,
    pass,
    answers: () => written.filter((text) => text.includes('"R1"')),
    async link(state: 'down' | 'up', attempt = 1) {
      control.receive([{ kind: 'link', state, attempt }]);
      await pass(0);
    },
  };
}

const HOUR = 3_600_000;

verifies('PERMIT-15', 'a question stays open while the link is down, and its answer is sent afterwards', async () => {
  for (const onDisconnect of [undefined, 'hold'] as const) {
    const { session, link, pass, answers } = await asked(onDisconnect === undefined ? {} : { onDisconnect });
    await link('down');
    await pass(HOUR);
    expect(session.state).toMatchObject({ session: 'requires_action', questions: 1 });
    expect(answers()).toEqual([]);
    await link('up');
    expect(session.respond('R1', { behavior: 'allow' })).toBe(true);
    await pass(0);
    expect(answers()).toEqual([expect.stringContaining('"behavior":"allow"')]);
    session.abort();
  }
});

verifies(['PERMIT-15', 'PERMIT-2'], '`deny` denies at once, with a message that no person refused', async () => {
  const { session, link, answers } = await asked({ onDisconnect: 'deny' });
  await link('down');
  expect(answers()).toEqual([expect.stringMatching(/"The link to the host was lost[^"]*","behavior":"deny"/)]);
  expect(session.respond('R1', { behavior: 'allow' })).toBe(false);
  expect(session.state.questions).toBe(0);
  session.abort();
});

verifies('PERMIT-15', 'with a timeout the question is denied when the link has been down for that long', async () => {
  const { session, link, pass, answers } = await asked({ onDisconnect: { timeoutMs: 1000 } });
  await link('down');
  await pass(999);
  await link('up');
  await pass(HOUR);
  expect(answers()).toEqual([]);
  await link('down');
  await pass(600);
  await link('down', 2);
  await pass(400);
  expect(answers()).toEqual([expect.stringContaining('"behavior":"deny"')]);
  await link('down', 3);
  session.abort();
  await pass(0);
  expect(vi.getTimerCount()).toBe(0);
});
