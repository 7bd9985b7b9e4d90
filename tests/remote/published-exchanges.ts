/** What the published clients of remote sessions exchange through a server, whatever the server is made of. */
import { verifies } from '@proto/test-support/verifies';
import { EventSource } from 'eventsource';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assistant, permission, texts } from './messages.ts';
import { attachWorker, credentials, openViewer, TOKENS } from './remote-session.ts';
import { until } from './until.ts';

/** Registers the tests. `start` gives the address of a server, and a new session there, for the time of a test. */
export function testPublishedClients(start: () => Promise<{ readonly url: string; readonly session: string }>): void {
  verifies(
    ['COMMAND-2', 'WRK-23', 'REM-12', 'EVS-31', 'EVS-38'],
    'the browser SDK and the bridge exchange messages in both directions, with delivery updates',
    async () => {
      const { url, session } = await start();
      const { handle, inbound } = await attachWorker(url, session);
      const viewer = openViewer(url, session);
      const uuid = viewer.prompt('hello worker');
      await until(() => inbound.length === 1);
      expect(inbound[0]).toMatchObject({ type: 'user', uuid, message: { content: 'hello worker' } });
      handle.write(assistant('hello viewer') as never);
      await until(() => texts(viewer.messages).length === 1);
      expect(texts(viewer.messages)).toEqual(['hello viewer']);
      // The SDK gets an echo of its prompt.
      expect(viewer.messages.filter(({ type }) => type === 'user')).toMatchObject([{ uuid }]);
      await until(() => viewer.updates.filter(({ event_id }) => event_id === uuid).length === 2);
      expect(viewer.updates.filter(({ event_id }) => event_id === uuid).map(({ status }) => status)).toEqual([
        'DELIVERY_STATUS_RECEIVED',
        'DELIVERY_STATUS_PROCESSED',
      ]);
    },
  );

  test('a permission, an interrupt and a change of the model pass between the browser SDK and the bridge', async () => {
    const { url, session } = await start();
    const onInterrupt = vi.fn();
    const onSetModel = vi.fn(() => ({ ok: true as const }));
    const { handle, responses } = await attachWorker(url, session, { onInterrupt, onSetModel });
    const canUseTool = vi.fn(async (_name: string, input: object) => ({ behavior: 'allow', updatedInput: input }));
    const viewer = openViewer(url, session, { canUseTool } as never);
    await viewer.query.supportedCommands();
    handle.sendControlRequest(permission('r1') as never);
    await until(() => responses.length === 1);
    expect(canUseTool).toHaveBeenCalledTimes(1);
    expect(responses[0]).toMatchObject({ response: { request_id: 'r1', response: { behavior: 'allow' } } });
    await viewer.query.interrupt();
    await until(() => onInterrupt.mock.calls.length === 1);
    await viewer.query.setModel('other');
    expect(onSetModel).toHaveBeenCalledWith('other');
  });

  verifies(
    ['REM-29', 'SERVER-1', 'REM-30'],
    'a second viewer that joins late gets the open requests, and no viewer gets an answered request',
    async () => {
      const { url, session } = await start();
      const { handle, responses } = await attachWorker(url, session);
      const never = vi.fn(() => new Promise(() => {}));
      openViewer(url, session, { canUseTool: never } as never);
      handle.sendControlRequest(permission('open') as never);
      await until(() => never.mock.calls.length === 1);

      // Answer only when the viewer is ready: the bridge lists open requests in its answer to `initialize` as well, and the SDK asks
      // only once while the first question is open.
      const allow = vi.fn(async (_name: string, input: object) => {
        await second.query.supportedCommands();
        return { behavior: 'allow', updatedInput: input };
      });
      const second = openViewer(url, session, { canUseTool: allow } as never);
      await until(() => responses.length === 1);
      expect(allow).toHaveBeenCalledTimes(1);

      const late = vi.fn(async () => ({ behavior: 'deny', message: 'no' }));
      const third = openViewer(url, session, { canUseTool: late } as never);
      handle.write(assistant('after') as never);
      await until(() => texts(third.messages).includes('after'));
      expect(late).not.toHaveBeenCalled();
      expect(responses).toHaveLength(1);
    },
  );

  verifies(
    ['EVS-41', 'REM-27', 'REM-28'],
    'messages sent before a worker attached reach the first worker, and a later worker does not get them again',
    async () => {
      const { url, session } = await start();
      const viewer = openViewer(url, session);
      viewer.prompt('first');
      await until(() => viewer.messages.length === 1);
      const first = await attachWorker(url, session);
      await until(() => first.inbound.length === 1);
      await until(() => viewer.updates.some(({ status }) => status === 'DELIVERY_STATUS_PROCESSED'));
      first.handle.close();
      const second = await attachWorker(url, session);
      const uuid = viewer.prompt('second');
      await until(() => second.inbound.length > 0);
      expect(second.inbound.map((message) => message['uuid'])).toEqual([uuid]);
    },
  );

  verifies('WRK-5', 'a superseded worker gets an error, and its writes are not stored', async () => {
    const { url, session } = await start();
    const first = await attachWorker(url, session);
    const second = await attachWorker(url, session);
    first.handle.write(assistant('from the past') as never);
    await until(() => first.closed.length > 0);
    expect(first.closed).toEqual([4090]);
    second.handle.write(assistant('from the present') as never);
    const viewer = openViewer(url, session);
    await until(() => texts(viewer.messages).length > 0);
    expect(texts(viewer.messages)).toEqual(['from the present']);
  });

  test('a new token under a new epoch continues with the messages that were not delivered', async () => {
    const { url, session } = await start();
    const { handle, inbound } = await attachWorker(url, session);
    const viewer = openViewer(url, session);
    viewer.prompt('one');
    await until(() => inbound.length === 1);
    const { worker_jwt, worker_epoch } = await credentials(url, session);
    await handle.reconnectTransport({ ingressToken: worker_jwt, apiBaseUrl: url, epoch: worker_epoch });
    handle.write(assistant('with the new token') as never);
    viewer.prompt('two');
    await until(() => inbound.length === 2 && texts(viewer.messages).length === 1);
    expect(inbound.map(({ message }) => (message as { content: string }).content)).toEqual(['one', 'two']);
  });

  verifies(
    'SAFE-4',
    'a plain EventSource follows a session with a ticket, and a ticket opens only one stream',
    async () => {
      const { url, session } = await start();
      const { handle } = await attachWorker(url, session);
      const answer = await fetch(`${url}/v1/code/sessions/${session}/tickets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKENS.viewer}` },
      });
      const { ticket } = (await answer.json()) as { ticket: string };
      const stream = `${url}/v1/code/sessions/${session}/events/stream?ticket=${ticket}`;
      const source = new EventSource(stream);
      onTestFinished(() => source.close());
      const received: { readonly id: string; readonly payload: { readonly type: string } }[] = [];
      source.addEventListener('client_event', ({ lastEventId, data }) => {
        received.push({ id: lastEventId, payload: JSON.parse(data).payload });
      });
      await until(() => source.readyState === EventSource.OPEN);
      handle.write(assistant('to everybody') as never);
      await until(() => received.length === 1);
      expect(received[0]).toMatchObject({ id: '1', payload: { type: 'assistant' } });
      expect((await fetch(stream)).status).toBe(401);
    },
  );
}
