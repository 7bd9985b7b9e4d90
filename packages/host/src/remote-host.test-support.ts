import type { WireMessage } from '@proto/core/framing';
import { defineTransport, incomingMessage, type TransportControl } from '@proto/core/transport';
import type { HostSessionOptions } from './host-options.ts';
import { createHostSession } from './host-session.ts';

/** A host of a session on a server, the messages that it sent, and functions for messages and notices of the server, and for changes of the link. */
export function remoteHost(options: HostSessionOptions = {}) {
  let control!: TransportControl;
  const sent: WireMessage[] = [];
  const transport = defineTransport(
    'remote',
    (given) => {
      control = given;
      given.opened();
      return {
        write(batch) {
          for (const { text } of batch.messages()) sent.push(JSON.parse(text) as WireMessage);
        },
        close: () => given.closed(),
        abort: () => given.closed(),
      };
    },
    { hasMessageIds: true },
  );
  return {
    host: createHostSession(transport, options),
    sent,
    say: (...messages: object[]) => control.receive(messages.map((one) => incomingMessage(JSON.stringify(one)))),
    link: (state: 'down' | 'up') => control.receive([{ kind: 'link', state, attempt: 1 }]),
    notify: (event: string, data: unknown) => control.receive([{ kind: 'notice', event, data }]),
  };
}
