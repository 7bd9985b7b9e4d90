import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { parseJson } from '@proto/core/framing';
import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';

/** The stream of an ACP connection over any transport. Each message is one line. A line that is not JSON is ignored, as other clients do. */
export function streamOver(transport: Transport): Stream {
  const writable = new WritableStream<AnyMessage>({ write: (message) => transport.send(encodeBatch(message)) });
  const messages = messagesOf(transport);
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      const next = await messages.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
  return { readable, writable };
}

async function* messagesOf(transport: Transport): AsyncGenerator<AnyMessage, void, undefined> {
  for await (const item of flattenIncoming(transport.incoming)) {
    if (item.kind !== 'message') continue;
    const message = parsed(item.text);
    if (message !== undefined) yield message;
  }
}

function parsed(text: string): AnyMessage | undefined {
  try {
    return parseJson(text) as AnyMessage;
  } catch {
    return undefined;
  }
}
