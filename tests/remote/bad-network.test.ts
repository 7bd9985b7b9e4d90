/** Connects the published clients through proxies that cut, delay, gather or slow down: each message arrives once and in order in both directions. */
import { type FaultProxy, type ProxyFaults, startFaultProxy } from '@proto/testkit';
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished } from 'vitest';
import { assistant, texts } from './messages.ts';
import { attachWorker, newSession, openViewer, startIngress } from './remote-session.ts';
import { until } from './until.ts';

const upTo = (last: number) => Array.from({ length: last }, (_, index) => String(index + 1));

/** Starts a worker and a viewer, each behind its own proxy. */
async function start() {
  const server = await startIngress();
  onTestFinished(() => server.close());
  const proxies = [await startFaultProxy(server.url), await startFaultProxy(server.url)] as const;
  for (const proxy of proxies) onTestFinished(() => proxy.close());
  const [workers, viewers] = proxies;
  const session = await newSession(workers.url);
  const { handle, inbound } = await attachWorker(workers.url, session);
  const viewer = openViewer(viewers.url, session);
  let said = 0;
  let asked = 0;
  return {
    workers,
    viewers,
    say: (count: number) => {
      for (let n = 0; n < count; n++) handle.write(assistant(String(++said)) as never);
    },
    prompt: (count: number) => {
      for (let n = 0; n < count; n++) viewer.prompt(String(++asked));
    },
    received: () => texts(viewer.messages),
    prompts: () => inbound.map(({ message }) => (message as { content: string }).content),
    /** Checks that everything arrived once: a last message is sent, and any duplicate would arrive before that message. */
    async allOnce() {
      this.say(1);
      this.prompt(1);
      await until(() => this.received().at(-1) === String(said) && this.prompts().at(-1) === String(asked));
      expect(this.received()).toEqual(upTo(said));
      expect(this.prompts()).toEqual(upTo(asked));
    },
  };
}

const slow: Readonly<Record<string, ProxyFaults>> = {
  'in pieces of one byte': { pieceBytes: 1 },
  slowly: { pieceBytes: 40, pieceMs: 2 },
  gathered: { gatherMs: 40 },
  'with delayed response heads': { headMs: 60 },
};

for (const [how, faults] of Object.entries(slow)) {
  verifies('TEST-4', `messages that a proxy passes ${how} arrive unchanged`, async () => {
    const session = await start();
    for (const proxy of [session.workers, session.viewers]) proxy.misbehave(faults);
    session.say(10);
    session.prompt(5);
    await until(() => session.received().length === 10 && session.prompts().length === 5);
    await session.allOnce();
  });
}

for (const cut of ['rst', 'fin'] as const) {
  verifies(
    ['TEST-4', 'REM-22', 'RES-7'],
    `streams that are cut within a frame by a ${cut} resume where they were`,
    async () => {
      const session = await start();
      session.say(1);
      session.prompt(1);
      await until(() => session.received().length === 1 && session.prompts().length === 1);
      for (const proxy of [session.workers, session.viewers]) proxy.cut(cut, 150);
      session.say(5);
      session.prompt(5);
      await until(() => session.received().length === 6 && session.prompts().length === 6);
      await session.allOnce();
    },
  );
}

verifies(['TEST-4', 'RES-7'], 'a message that is sent again because its answer was lost is stored once', async () => {
  const session = await start();
  session.say(1);
  session.prompt(1);
  await until(() => session.received().length === 1 && session.prompts().length === 1);
  const loses = async (proxy: FaultProxy, send: () => void, arrived: () => boolean) => {
    proxy.misbehave({ cutAfterAnswerBytes: 0 });
    send();
    await until(arrived);
    proxy.misbehave({});
  };
  await loses(
    session.workers,
    () => session.say(1),
    () => session.received().length === 2,
  );
  await loses(
    session.viewers,
    () => session.prompt(1),
    () => session.prompts().length === 2,
  );
  await session.allOnce();
});
