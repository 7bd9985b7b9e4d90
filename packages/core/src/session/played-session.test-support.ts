import type { WireMessage } from '../framing/json-line.ts';
import { defineTransport } from '../transport/define-transport.ts';
import { incomingMessage } from '../transport/lines/incoming.ts';
import type { Script } from '../transport/scripted-driver.test-support.ts';
import type { Batch, Incoming, TransportControl } from '../transport/transport.ts';
import { createSession } from './session.ts';
import type { SessionOptions } from './session-options.ts';

export const ping = (n: number): WireMessage => ({ type: 'ping', n });
export const request = (request_id: string, subtype: string): WireMessage => ({
  type: 'control_request',
  request_id,
  request: { subtype },
});
export const cancel = (request_id: string): WireMessage => ({ type: 'control_cancel_request', request_id });

/** A session whose transport is driven by the test. */
export function playedSession(options: SessionOptions = {}, driver: Script = {}, hasMessageIds = false) {
  let control!: TransportControl;
  const sent: WireMessage[] = [];
  const batches: Batch[] = [];
  const transport = defineTransport(
    'test',
    (given) => {
      control = given;
      given.opened();
      return {
        write(batch) {
          batches.push(batch);
          for (const { text } of batch.messages()) sent.push(JSON.parse(text));
        },
        close: () => given.closed(),
        abort: () => given.closed(),
        ...driver,
      };
    },
    { hasMessageIds, maxIncomingBytes: 10 },
  );
  const session = createSession(transport, options);
  const receive = (...messages: object[]) =>
    control.receive(messages.map((message) => incomingMessage(JSON.stringify(message))));
  return {
    session,
    control,
    sent,
    batches,
    receive,
    receiveItems: (items: readonly Incoming[]) => control.receive(items),
  };
}
