import { createMemoryPair, encodeBatch, type Incoming, type Transport } from '@proto/core/transport';
import { afterEach, expect, test } from 'vitest';
import { BridgedSession } from './bridged-session.ts';

const open: BridgedSession[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.dispose();
});

/** A session whose agent is the far end of a pair in memory. */
function bridged() {
  const { host: near, agent } = createMemoryPair();
  const session = new BridgedSession();
  open.push(session);
  const host = session.record(near);
  return { session, agent, host, toHost: reader(host), toAgent: reader(agent) };
}

/** Reads the texts of messages one by one. */
function reader({ incoming }: Transport) {
  const items = incoming[Symbol.asyncIterator]();
  let waiting: Incoming[] = [];
  return async () => {
    while (waiting.length === 0) {
      const next = await items.next();
      if (next.done === true) return undefined;
      waiting = [...next.value];
    }
    const item = waiting.shift();
    return item?.kind === 'message' ? (JSON.parse(item.text) as Record<string, unknown>) : item;
  };
}

async function recorded({ session }: ReturnType<typeof bridged>): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  return Buffer.from(await session.read(0, session.state.bytes)).toString();
}

const interrupt = { type: 'control_request', request_id: 'inspector-1', request: { subtype: 'interrupt' } };
const answerTo = (id: string) => ({ type: 'control_response', response: { subtype: 'success', request_id: id } });

test('the answer to a request of a visitor is recorded, and the host never gets it', async () => {
  const given = bridged();
  await given.session.act({ action: 'send', message: interrupt });
  const sent = await given.toAgent();
  expect(sent).toEqual({ ...interrupt, request_id: expect.stringMatching(/^inspector-/) });
  const id = (sent as { request_id: string }).request_id;
  await given.agent.send(encodeBatch(answerTo(id), answerTo('of-the-host'), { type: 'next' }));
  expect(await given.toHost()).toEqual(answerTo('of-the-host'));
  expect(await given.toHost()).toEqual({ type: 'next' });
  expect(await recorded(given)).toContain(id);
});

test('a visitor that uses the id of a request of the host neither takes the answer to it nor cancels it', async () => {
  const { session, host, agent, toAgent, toHost } = bridged();
  const request = { ...interrupt, request_id: 'r1' };
  await host.send(encodeBatch(request));
  expect(await toAgent()).toEqual(request);
  const cancel = { type: 'control_cancel_request', request_id: 'r1' };
  await expect(session.act({ action: 'send', message: cancel })).rejects.toMatchObject({ code: 'refused' });
  await session.act({ action: 'send', message: request });
  const { request_id: own } = (await toAgent()) as { request_id: string };
  await session.act({ action: 'send', message: cancel });
  expect(await toAgent()).toEqual({ ...cancel, request_id: own });
  await agent.send(encodeBatch(answerTo(own), answerTo('r1')));
  expect(await toHost()).toEqual(answerTo('r1'));
});

test('a request that a visitor answers is withdrawn from the host at once', async () => {
  const { session, toAgent, toHost } = bridged();
  const next = toHost();
  await session.act({ action: 'send', message: answerTo('asked-by-the-agent') });
  expect(await toAgent()).toEqual(answerTo('asked-by-the-agent'));
  expect(await next).toEqual({ type: 'control_cancel_request', request_id: 'asked-by-the-agent' });
});

test('a direction that is held passes nothing, and passes all in order when it is released', async () => {
  const { session, agent, host, toAgent, toHost } = bridged();
  await session.act({ action: 'hold', direction: 'from-host' });
  await session.act({ action: 'hold', direction: 'from-agent' });
  expect(session.state.held).toEqual(['from-host', 'from-agent']);
  const sent = [host.send(encodeBatch({ type: 'one' })), host.send(encodeBatch({ type: 'two' }))];
  await agent.send(encodeBatch({ type: 'three' }));
  const [first, reply] = [toAgent(), toHost()];
  const early = await Promise.race([first, reply, new Promise((resolve) => setImmediate(resolve))]);
  expect(early).toBeUndefined();
  await session.act({ action: 'release', direction: 'from-host' });
  expect(await first).toEqual({ type: 'one' });
  expect(await toAgent()).toEqual({ type: 'two' });
  await Promise.all(sent);
  await session.act({ action: 'release', direction: 'from-agent' });
  expect(await reply).toEqual({ type: 'three' });
});

test('the end of the agent releases what is held, and ends the session', async () => {
  const { session, agent, host, toHost } = bridged();
  await session.act({ action: 'hold', direction: 'from-agent' });
  await agent.send(encodeBatch({ type: 'last' }));
  await agent.close();
  expect(await toHost()).toEqual({ type: 'last' });
  await host.close();
  expect(session.state).toMatchObject({ isEnded: true, held: [], rights: { send: false, hold: false } });
  await expect(session.act({ action: 'send', message: interrupt })).rejects.toMatchObject({ code: 'ended' });
});

test('the recording stops at its limit, and the session goes on', async () => {
  const { host: near, agent } = createMemoryPair();
  const session = new BridgedSession({ maxBytes: 200 });
  open.push(session);
  const toHost = reader(session.record(near));
  await agent.send(encodeBatch({ type: 'long', text: 'x'.repeat(500) }));
  expect(await toHost()).toMatchObject({ type: 'long' });
  session.close();
  expect(session.state.trouble).toContain('limit of 200 bytes');
  expect(session.state.bytes).toBeLessThan(200);
});
