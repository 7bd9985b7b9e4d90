/** Connects our own viewer to the ingress, with the published bridge as the worker. */
import { createSession } from '@proto/core';
import { encodeBatch, type Incoming, type Transport } from '@proto/core/transport';
import { createMemoryEventLog } from '@proto/ingress';
import { createSseTransport, MessagesRefusedError, type SseOptions } from '@proto/transport-sse';
import { verifies } from '@proto/test-support/verifies';
import { undiciFetch } from '@proto/transport-sse/node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assistant, permission, texts } from './messages.ts';
import { attachWorker, newSession, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

const prompt = (n: number) => ({ type: 'user', message: { role: 'user', content: `${n}` }, parent_tool_use_id: null });
const upTo = (last: number) => Array.from({ length: last }, (_, index) => `${index + 1}`);

/** Connects a viewer. Returns the messages it read, and a function that breaks its open connections. */
function follow(url: string, session: string, options: Partial<SseOptions> = {}) {
  const open = new Set<AbortController>();
  const inner = undiciFetch();
  const transport = createSseTransport({
    url: `${url}/v1/code/sessions/${session}`,
    credential: () => TOKENS.driver,
    baseMs: 20,
    capMs: 100,
    async fetch(address, request) {
      const broken = new AbortController();
      open.add(broken);
      return inner(address, { ...request, signal: AbortSignal.any([request.signal, broken.signal]) });
    },
    ...options,
  });
  onTestFinished(() => transport.abort());
  const items: Incoming[] = [];
  void (async () => {
    for await (const some of transport.incoming) items.push(...some);
  })().catch(() => {});
  return {
    transport,
    items,
    cut() {
      for (const request of open) request.abort();
      open.clear();
    },
    texts: () => texts(items.flatMap((item) => (item.kind === 'message' ? (item.read().message ?? []) : []))),
    links: () => items.filter((item) => item.kind === 'link'),
  };
}

async function start(log = createMemoryEventLog(), port = 0) {
  const server = await startIngress(log, port);
  onTestFinished(() => server.close());
  return server;
}

test('each message arrives once and in order in both directions, although all open connections are cut', async () => {
  const { url } = await start();
  const session = await newSession(url);
  const { handle, inbound } = await attachWorker(url, session);
  const viewer = follow(url, session);
  await viewer.transport.opened;
  const sends: Promise<void>[] = [];
  for (let n = 1; n <= 200; n++) {
    handle.write(assistant(`${n}`) as never);
    sends.push(viewer.transport.send(encodeBatch(prompt(n))));
    if (n % 25 === 0) {
      viewer.cut();
      await until(() => viewer.links().filter(({ state }) => state === 'up').length >= n / 25);
    }
  }
  await Promise.all(sends);
  await until(() => inbound.length >= 200 && viewer.texts().length >= 200);
  expect(viewer.texts()).toEqual(upTo(200));
  expect(inbound.map(({ message }) => (message as { content: string }).content)).toEqual(upTo(200));
  expect(viewer.links().every(({ resumed }) => resumed !== false)).toBe(true);
});

test('a later process continues after the cursor of an earlier one, even on a restarted server', async () => {
  const log = createMemoryEventLog();
  const first = await start(log);
  const session = await newSession(first.url);
  const one = await attachWorker(first.url, session);
  const viewer = follow(first.url, session);
  one.handle.write(assistant('1') as never);
  one.handle.write(assistant('2') as never);
  await until(() => viewer.texts().length === 2);
  const cursor = viewer.items.findLast((item) => item.kind === 'message')?.cursor;
  const port = Number(new URL(first.url).port);
  one.handle.close();
  await first.close();
  const sending = viewer.transport.send(encodeBatch(prompt(1)));
  const second = await start(log, port);
  await sending;
  const later = follow(second.url, session, { ...(cursor !== undefined && { cursor }) });
  await until(() => viewer.links().at(-1)?.state === 'up');
  const two = await attachWorker(second.url, session);
  two.handle.write(assistant('3') as never);
  await until(() => viewer.texts().length === 3 && later.texts().length === 1);
  expect([viewer.texts(), later.texts()]).toEqual([upTo(3), ['3']]);
  expect(viewer.links().at(-1)?.resumed).toBe(true);
});

verifies('LINK-3', 'a cursor of another log is reported as a gap, and later messages are delivered', async () => {
  const { url } = await start();
  const session = await newSession(url);
  const { handle } = await attachWorker(url, session);
  const viewer = follow(url, session, { cursor: '1000' });
  await until(() => viewer.links().length > 0);
  expect(viewer.links()[0]).toMatchObject({ state: 'up', resumed: false });
  handle.write(assistant('1') as never);
  await until(() => viewer.texts().length === 1);
});

test('a role that may not send gets an error that lists the refused messages, and goes on reading', async () => {
  const { url } = await start();
  const session = await newSession(url);
  const { handle } = await attachWorker(url, session);
  const viewer = follow(url, session, { credential: () => TOKENS.viewer });
  await viewer.transport.opened;
  const uuid = crypto.randomUUID();
  const error = await viewer.transport.send(encodeBatch({ ...prompt(1), uuid })).catch((reason: unknown) => reason);
  expect(MessagesRefusedError.find(error)).toMatchObject({ status: 403, refused: [uuid] });
  handle.write(assistant('1') as never);
  await until(() => viewer.texts().length === 1);
});

test('messages of a batch that the server refuses are reported, and the others are accepted', async () => {
  const { url } = await start();
  const session = await newSession(url);
  const viewer = follow(url, session);
  await viewer.transport.opened;
  await viewer.transport.send(
    encodeBatch({ type: 'control_response', uuid: 'no-answer' }, { ...prompt(1), uuid: 'good' }),
  );
  const notices = () => viewer.items.filter(({ kind }) => kind === 'notice');
  await until(() => notices().length === 1);
  expect(notices()).toEqual([
    { kind: 'notice', event: 'message_refused', data: { event_id: 'no-answer', error: { type: 'invalid_answer' } } },
  ]);
});

test('an unknown session or an unknown account closes the transport', async () => {
  const { url } = await start();
  const ended = async (transport: Transport) => (await transport.closed).error;
  expect(await ended(follow(url, 'cse_nowhere').transport)).toMatchObject({ code: 'rejected', status: 404 });
  const session = await newSession(url);
  const refused = follow(url, session, { credential: () => 'nobody', connectDeadlineMs: 200 });
  expect(await ended(refused.transport)).toMatchObject({ status: 401 });
});

test('requests work in both directions between a session over the viewer and the worker', async () => {
  const { url } = await start();
  const id = await newSession(url);
  const interrupted = vi.fn<() => void>();
  const { handle, responses } = await attachWorker(url, id, { onInterrupt: interrupted });
  const transport = createSseTransport({ url: `${url}/v1/code/sessions/${id}`, credential: () => TOKENS.driver });
  const asked: unknown[] = [];
  const session = createSession(transport, {
    handlers: {
      can_use_tool({ tool_name: tool, input }) {
        asked.push(tool);
        return { behavior: 'allow', updatedInput: input };
      },
    },
  });
  onTestFinished(() => session.abort());
  expect(await session.request({ subtype: 'initialize' })).toMatchObject({ commands: [] });
  await session.request({ subtype: 'interrupt' });
  expect(interrupted).toHaveBeenCalledTimes(1);
  handle.sendControlRequest(permission('request-1') as never);
  await until(() => responses.length === 1);
  expect(asked).toEqual(['Bash']);
  expect(responses[0]).toMatchObject({ response: { request_id: 'request-1', response: { behavior: 'allow' } } });
});
