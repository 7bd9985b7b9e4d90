import { type Batch, batchOf, createMemoryPair, each, type Incoming } from '@proto/core/transport';
import { describe, expect, test } from 'vitest';
import { createInterruptibleTransport } from './interruptible-transport.ts';

function setUp() {
  const { host, agent } = createMemoryPair();
  return { host, agent, ...createInterruptibleTransport(agent) };
}

const read = (item: Incoming) => (item.kind === 'message' ? item.read().message : undefined);
const INTERRUPT = { type: 'control_request', request: { subtype: 'interrupt', cancel_queued: true } };

async function readAll(incoming: AsyncIterable<readonly Incoming[]>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const item of each(incoming)) messages.push(read(item));
  return messages;
}

describe('a transport that may be interrupted', () => {
  test('is the one inside until then', async () => {
    const { host, transport } = setUp();
    await host.send(batchOf({ type: 'a' }, { type: 'b' }));
    await host.end();
    expect(await readAll(transport.incoming)).toEqual([{ type: 'a' }, { type: 'b' }]);
    await transport.send(batchOf({ type: 'c' }));
    await transport.close();
    expect(await readAll(host.incoming)).toEqual([{ type: 'c' }]);
    expect(await transport.closed).not.toHaveProperty('error');
  });

  test('gives an interrupt and then the end, whether somebody waits already or not', async () => {
    const waited = setUp();
    const messages = readAll(waited.transport.incoming);
    await waited.host.send(batchOf({ type: 'a' }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    waited.interrupt();
    await waited.host.send(batchOf({ type: 'late' }));
    expect(await messages).toMatchObject([{ type: 'a' }, INTERRUPT]);
    const { transport, interrupt } = setUp();
    interrupt();
    expect(await readAll(transport.incoming)).toMatchObject([INTERRUPT]);
  });

  test('keeps back the answer to it, and nothing else', async () => {
    const { host, transport, interrupt } = setUp();
    interrupt();
    const [request] = (await readAll(transport.incoming)) as [{ request_id: string }];
    const answerTo = (id: string) => ({ type: 'control_response', response: { subtype: 'success', request_id: id } });
    const batches: readonly Batch[] = [
      batchOf(answerTo(request.request_id)),
      batchOf({ type: 'a' }, answerTo(request.request_id), answerTo('other'), { type: 'b', text: request.request_id }),
    ];
    for (const batch of batches) await transport.send(batch);
    await transport.close();
    expect(await readAll(host.incoming)).toEqual([
      { type: 'a' },
      answerTo('other'),
      { type: 'b', text: request.request_id },
    ]);
  });

  test('closes when its loop is left', async () => {
    const { host, transport } = setUp();
    await host.send(batchOf({ type: 'a' }));
    for await (const _ of transport.incoming) break;
    expect(await transport.closed).toEqual({ by: 'local' });
  });
});
