/**
 * A session on a server outlives both its ends and does not report that an end has left. The scenarios expect a host that starts an
 * agent and waits for its end, so each end announces its end here: by a last message, and by archiving the session.
 */
import { encodeBatch, type Incoming, type Transport, wrapTransport } from '@proto/core/transport';

const END_OF_INPUT = 'end_of_input';

/** Wraps the host's end: a last message announces that no more input follows. */
export function announcingTheEnd(transport: Transport): Transport {
  return wrapTransport(transport, {
    async end() {
      await transport.send(encodeBatch({ type: END_OF_INPUT, uuid: crypto.randomUUID() })).catch(() => {});
      await transport.end();
    },
  });
}

/** Wraps the agent's end: its input ends at the host's last message. */
export function endingAtLastMessage(transport: Transport): Transport {
  return wrapTransport(transport, { incoming: untilTheEnd(transport.incoming) });
}

async function* untilTheEnd(incoming: AsyncIterable<readonly Incoming[]>): AsyncGenerator<readonly Incoming[]> {
  const iterator = incoming[Symbol.asyncIterator]();
  // A `for await` loop would close the transport when it is left, but the agent still has messages to send.
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const items = next.value;
    const end = items.findIndex((item) => item.kind === 'message' && item.read().message?.type === END_OF_INPUT);
    yield end < 0 ? items : items.slice(0, end);
    if (end >= 0) return;
  }
}
