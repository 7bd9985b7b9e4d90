// A host behind a proxy, in its own process because Node reads its environment at the start. Prints the messages that arrive over an
// event stream and over a WebSocket, or the errors.
import { encodeBatch, connectUri, flattenIncoming } from '@proto/core/transport';
import { sseScheme } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { createWebSocketTransport } from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';

const over = {
  sse: () =>
    connectUri('sse+https://far.example/v1/code/sessions/cse_1', [sseScheme], {
      fetch: undiciFetch(),
    }),
  websocket: () => createWebSocketTransport(openSocket({ url: 'wss://far.example/x', headers: {}, protocols: [] })),
};

for (const [name, connect] of Object.entries(over)) {
  const transport = connect();
  try {
    await transport.opened;
    await transport.send(encodeBatch({ type: 'hello', uuid: '00000000-0000-4000-8000-000000000001' }));
    await transport.flush();
    for await (const item of flattenIncoming(transport.incoming)) {
      if (item.kind !== 'message') continue;
      console.log(JSON.stringify({ name, text: item.text }));
      break;
    }
  } catch (error) {
    console.log(JSON.stringify({ name, code: error.code, shown: [error, error.cause].map(String) }));
  }
  transport.abort();
  await transport.closed;
}
