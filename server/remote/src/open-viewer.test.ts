import { defineTransport, type Incoming, incomingMessage, type TransportControl } from '@proto/core/transport';
import { expect, test } from 'vitest';
import { withCancels } from './open-viewer.ts';

test('a notice that another client has answered a request becomes a cancel of the request; all other items stay as they came', async () => {
  let control!: TransportControl;
  const session = defineTransport('session', (given) => {
    control = given;
    return { write() {}, close: () => given.closed(), abort: () => given.closed() };
  });
  const message = incomingMessage('{"type":"n"}', { cursor: '1' });
  const others: readonly Incoming[] = [
    { kind: 'notice', event: 'control_resolved', data: null },
    { kind: 'notice', event: 'control_resolved', data: { request_id: 7, outcome: 'answered' } },
    { kind: 'notice', event: 'control_resolved', data: { request_id: 'r', by: 'worker', outcome: 'cancelled' } },
    // Some servers also send notices about the ends of clients' requests.
    { kind: 'notice', event: 'control_resolved', data: { request_id: 'r', by: 'worker', outcome: 'answered' } },
    { kind: 'notice', event: 'control_resolved', data: { request_id: 'r', by: 'somebody', outcome: 'cancelled' } },
    { kind: 'notice', event: 'delivery_update', data: { request_id: 'r', event_id: 'e' } },
    { kind: 'link', state: 'down', attempt: 1 },
  ];
  control.receive([
    message,
    {
      kind: 'notice',
      event: 'control_resolved',
      data: { request_id: 'r', by: 'somebody', outcome: 'answered' },
      cursor: '2',
    },
    ...others,
  ]);
  control.ended();
  const items: Incoming[] = [];
  for await (const some of withCancels(session).incoming) items.push(...some);
  expect(items[0]).toBe(message);
  expect(items[1]).toMatchObject({
    kind: 'message',
    text: '{"type":"control_cancel_request","request_id":"r"}',
    cursor: '2',
  });
  expect(items.slice(2)).toEqual(others);
});
