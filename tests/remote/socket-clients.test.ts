/** Connects WebSocket clients, the published browser SDK and programs with a plain socket, to a session with other clients. */
import { verifies } from '@proto/test-support/verifies';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { assistant, permission, texts } from './messages.ts';
import { makeSession } from './remote-pair.ts';
import { attachWorker, openSocketViewer, openViewer, startIngress, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

async function start() {
  const { url, close } = await startIngress();
  onTestFinished(close);
  return { url, session: await makeSession(url) };
}
/** Opens a plain socket with a token in its header, and records the messages that arrive. */
function plain(address: string, token: string) {
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  const messages: { readonly type: string; readonly [member: string]: unknown }[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as (typeof messages)[number]));
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  return {
    messages,
    opened: new Promise((resolve) => socket.once('open', resolve)),
    say: (message: object) => socket.send(`${JSON.stringify(message)}\n`),
  };
}

verifies(
  ['WSK-3', 'WSK-16', 'WSK-2'],
  'the browser SDK over a WebSocket exchanges messages in both directions, and a viewer over an event stream sees the same',
  async () => {
    const { url, session } = await start();
    const { handle, inbound } = await attachWorker(url, session.id);
    const viewer = openSocketViewer(url, session.id);
    const other = openViewer(url, session.id);
    await Promise.all([viewer.query.supportedCommands(), other.query.supportedCommands()]);
    viewer.prompt('by socket');
    other.prompt('by stream');
    await until(() => inbound.length === 2);
    expect(inbound.map(({ message }) => (message as { content: string }).content).sort()).toEqual([
      'by socket',
      'by stream',
    ]);
    for (const text of ['one', 'two\u2028', 'three']) handle.write(assistant(text) as never);
    await until(() => texts(viewer.messages).length === 3 && texts(other.messages).length === 3);
    expect(texts(viewer.messages)).toEqual(['one', 'two\u2028', 'three']);
    const idsOf = (messages: readonly { readonly uuid?: string }[]) => messages.map(({ uuid }) => String(uuid)).sort();
    await until(() => viewer.messages.length === 5 && other.messages.length === 5);
    expect(idsOf(viewer.messages)).toEqual(idsOf(other.messages));
  },
);

test('the browser SDK over a WebSocket answers a permission, interrupts, and does not get answered requests again', async () => {
  const { url, session } = await start();
  const onInterrupt = vi.fn();
  const { handle, responses } = await attachWorker(url, session.id, { onInterrupt });
  const canUseTool = vi.fn(async (_name: string, input: object) => ({ behavior: 'allow', updatedInput: input }));
  const viewer = openSocketViewer(url, session.id, { canUseTool } as never);
  await viewer.query.supportedCommands();
  handle.sendControlRequest(permission('r1') as never);
  await until(() => responses.length === 1);
  expect(responses[0]).toMatchObject({ response: { request_id: 'r1', response: { behavior: 'allow' } } });
  await viewer.query.interrupt();
  await until(() => onInterrupt.mock.calls.length === 1);

  const late = vi.fn(async () => ({ behavior: 'deny', message: 'no' }));
  const second = openSocketViewer(url, session.id, { canUseTool: late } as never);
  await second.query.supportedCommands();
  handle.write(assistant('after') as never);
  await until(() => texts(second.messages).includes('after'));
  expect(late).not.toHaveBeenCalled();
  expect(canUseTool).toHaveBeenCalledTimes(1);
});

test('the browser SDK over a WebSocket gets an error for a refused token, and a close for an archived session', async () => {
  const { url, session } = await start();
  const refused = openSocketViewer(url, session.id, {}, 'a token of nobody');
  expect(await refused.finished).toBeInstanceOf(Error);
  const { handle } = await attachWorker(url, session.id);
  const viewer = openSocketViewer(url, session.id);
  await viewer.query.supportedCommands();
  handle.write(assistant('last words') as never);
  await until(() => texts(viewer.messages).length === 1);
  await session.archive();
  expect(await viewer.finished).toBeUndefined();
});

test('plain sockets work as a worker, like older agents, and as a viewer', async () => {
  const { url, session } = await start();
  const worker = plain(session.workerSocket, session.workerToken);
  const viewer = plain(`${url.replace('http', 'ws')}/v1/sessions/ws/${session.id}/subscribe`, TOKENS.driver);
  await Promise.all([worker.opened, viewer.opened]);
  const browser = openSocketViewer(url, session.id);
  await until(() => worker.messages.length === 1);
  expect(worker.messages[0]).toMatchObject({ type: 'control_request', request: { subtype: 'initialize' } });
  const { request_id } = worker.messages[0] as { request_id: string } & (typeof worker.messages)[number];
  const response = { commands: [], agents: [], models: [], account: {}, output_style: 'normal' };
  worker.say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  await browser.query.supportedCommands();
  viewer.say({ type: 'user', message: { role: 'user', content: 'plain' }, parent_tool_use_id: null });
  await until(() => worker.messages.length === 2);
  worker.say(assistant('answer'));
  await until(() => texts(browser.messages).length === 1 && texts(viewer.messages).length === 1);
  expect(browser.messages.map(({ type }) => type)).toEqual(['user', 'assistant']);
});
