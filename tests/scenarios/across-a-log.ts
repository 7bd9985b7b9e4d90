/**
 * A session on a server outlives both its ends: that one of them has left is nothing it tells. For a host that starts an agent and
 * waits for its end, each end says so here, by a last message of its own and by putting the session away.
 */
import { encodeBatch, type Incoming, type Transport, wrapTransport } from '@proto/core/transport';

const END_OF_INPUT = 'end_of_input';

/** The host's end: that nothing follows is a message to the agent. */
export function sayingItsEnd(transport: Transport): Transport {
  return wrapTransport(transport, {
    async end() {
      await transport.send(encodeBatch({ type: END_OF_INPUT, uuid: crypto.randomUUID() })).catch(() => {});
      await transport.end();
    },
  });
}

/** The agent's end: its input ends where the host has said so. */
export function hearingTheEnd(transport: Transport): Transport {
  return wrapTransport(transport, { incoming: untilTheEnd(transport.incoming) });
}

async function* untilTheEnd(incoming: AsyncIterable<readonly Incoming[]>): AsyncGenerator<readonly Incoming[]> {
  const iterator = incoming[Symbol.asyncIterator]();
  // Not a loop: to leave one would close the transport, and the agent has not said everything.
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    const items = next.value;
    const end = items.findIndex((item) => item.kind === 'message' && item.read().message?.type === END_OF_INPUT);
    yield end < 0 ? items : items.slice(0, end);
    if (end >= 0) return;
  }
}
