import { encodeBatch } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { expect, test } from 'vitest';
import { CredentialSource } from './credential.ts';
import { FakeClock } from './fake-clock.test-support.ts';
import { FakeSession } from './fake-session.test-support.ts';
import { follow } from './viewer.test-support.ts';

verifies(
  'LINK-7',
  'a credential is requested at the first link, before it expires and after a 401; a second 401 is reported and waits',
  async () => {
    const session = new FakeSession();
    const reasons: string[] = [];
    let valid = 'token-1';
    let issued = 0;
    const { transport, clock, links } = follow(
      {
        credential: async (reason) => {
          reasons.push(reason);
          return { token: `token-${++issued}`, expiresAt: clock.now() + 120_000 };
        },
      },
      session,
      undefined,
    );
    session.fate = ({ headers }) => (headers['Authorization'] === `Bearer ${valid}` ? 'served' : { status: 401 });
    await transport.opened;
    await transport.send(encodeBatch({ n: 1 }));
    expect(reasons).toEqual(['first']);
    // 59 s before its end the token counts as expired.
    for (let n = 0; n < 7; n++) {
      session.write(': alive\n\n');
      await clock.pass(9000);
    }
    valid = 'token-2';
    await transport.send(encodeBatch({ n: 2 }));
    expect(reasons).toEqual(['first', 'expiring']);
    valid = 'token-3';
    await transport.send(encodeBatch({ n: 3 }));
    expect(reasons).toEqual(['first', 'expiring', 'refused']);
    valid = 'token-6';
    session.cut();
    await clock.until(() => links().at(-1)?.state === 'up', 'the link is up');
    expect(reasons.slice(3)).toEqual(['lost', 'refused', 'refused']);
    expect(links().map(({ state, cause }) => [state, cause?.status])).toEqual([
      ['down', undefined],
      ['down', 401],
      ['up', undefined],
    ]);
    expect(session.log).toHaveLength(3);
    transport.abort();
  },
);

verifies('LINK-8', '50 concurrent refusals cause one refresh', async () => {
  let [asked, running, most] = [0, 0, 0];
  const source = new CredentialSource(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return `token-${++asked}`;
  }, new FakeClock());
  const current = async () => (await source.current('first'))?.token;
  const tokens = await Promise.all(Array.from({ length: 50 }, current));
  const again = await Promise.all(
    tokens.map(async (token, n) => {
      // Some refusals arrive at once, some during or after the refresh.
      if (n % 3 === 1) await new Promise((resolve) => setImmediate(resolve));
      if (n % 3 === 2) await new Promise((resolve) => setTimeout(resolve, 5));
      source.refuse(token);
      return current();
    }),
  );
  expect([new Set(tokens).size, new Set(again), asked, most]).toEqual([1, new Set(['token-2']), 2, 1]);
});

verifies('LINK-9', 'with tokens that expire every 50 ms, none of 10 000 messages is lost or repeated', async () => {
  const session = new FakeSession();
  const clock = new FakeClock();
  const tokenAt = () => `token-${Math.floor(clock.now() / 50)}`;
  session.fate = ({ headers }) => (headers['Authorization'] === `Bearer ${tokenAt()}` ? 'served' : { status: 401 });
  let asked = 0;
  const { transport, numbers } = follow({ credential: () => (asked++, tokenAt()) }, session, clock);
  await transport.opened;
  let sent = 0;
  const sending = (async () => {
    for (let n = 0; n < 10_000; n += 10) {
      await transport.send(encodeBatch(...Array.from({ length: 10 }, (_, index) => ({ n: n + index }))));
      session.say({ type: 'x', n });
      sent += 10;
      clock.setTimeout(() => {}, 7);
      await clock.pass(7);
      if (n % 500 === 0) session.cut();
    }
  })();
  await sending;
  await clock.until(() => numbers().length === 1000, 'all messages arrive');
  const mine = session.log.filter(({ source }) => source === 'client');
  expect(mine.map(({ payload }) => (JSON.parse(payload) as { n: number }).n)).toEqual(
    Array.from({ length: 10_000 }, (_, n) => n),
  );
  expect(numbers()).toEqual(Array.from({ length: 1000 }, (_, n) => n * 10));
  expect(asked).toBeGreaterThan(100);
  expect(new Set(session.requests.map(({ url }) => url)).size).toBe(2);
  expect(sent).toBe(10_000);
  transport.abort();
});

for (const { what, id, isRefused } of [
  { what: 'the stream', id: 'ERR-15', isRefused: (url: string) => url.includes('/events/stream') },
  { what: 'a POST', id: 'ERR-16', isRefused: (url: string) => url.endsWith('/events') },
]) {
  verifies([id, 'ERR-17'], `${what} that is refused is not sent again until there is another credential`, async () => {
    const session = new FakeSession();
    let token = 'one';
    let refusals = 0;
    const { transport, clock } = follow({ credential: () => token }, session);
    await transport.opened;
    session.fate = ({ headers }, url) => {
      if (!isRefused(url) || headers['Authorization'] !== 'Bearer one') return 'served';
      refusals++;
      return { status: 401 };
    };
    if (id === 'ERR-15') session.cut();
    const sent = transport.send(encodeBatch({ n: 1 }));
    await clock.pass(60_000);
    expect(refusals).toBe(1);
    token = 'two';
    await clock.until(() => session.log.length === 1 && session.streams.size === 1, 'both are served');
    await sent;
    transport.abort();
  });
}

test('a credential provider that throws or hangs causes a failed attempt, and is called again', async () => {
  let calls = 0;
  const { transport, clock, links } = follow({
    connectDeadlineMs: 100_000,
    credential: () => {
      calls++;
      if (calls === 1) throw new Error('the vault is closed');
      return calls === 2 ? new Promise<string>(() => {}) : 'token';
    },
  });
  await clock.until(() => links().length === 2, 'two failed attempts');
  expect(links().map(({ cause }) => cause?.code)).toEqual(['connect-failed', 'timeout']);
  // While one call hangs, the provider is not called again.
  await clock.pass(40_000);
  expect(calls).toBe(2);
  transport.abort();
});

test('an error contains neither the token nor the address', async () => {
  const session = new FakeSession();
  session.fate = () => ({ status: 403 });
  const { transport } = follow(
    { credential: () => 'secret-token', url: 'https://secret-host.example/secret-id' },
    session,
  );
  const { error } = await transport.closed;
  expect(`${error?.message} ${String(error?.cause)} ${JSON.stringify(error)}`).not.toMatch(/secret/);
});

test('the error of a request is not quoted', async () => {
  const { transport, clock, links } = follow({
    fetch: () => Promise.reject(new TypeError('Bearer secret is not a header')),
  });
  await clock.until(() => links().length === 2, 'failed attempts');
  expect(links().map(({ cause }) => cause?.message)).toEqual(Array(2).fill('sse: the request failed'));
  transport.abort();
  const { error } = await follow({ url: 'no secret address' }).transport.closed;
  expect([error?.code, error?.retryable, error?.message, error?.cause]).toEqual([
    'connect-failed',
    false,
    'sse: the address is not a URL',
    undefined,
  ]);
});
