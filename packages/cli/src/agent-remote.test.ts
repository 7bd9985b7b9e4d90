import { expect, test } from 'vitest';
import { AGENT, messagesIn, prompt, run } from './bins.test-support.ts';
import { startSocketServer } from './socket-server.test-support.ts';

/** A host on a server that, like `ws`, accepts the offered subprotocol; and the messages that the host receives. */
async function host(first: string | undefined) {
  const { server, url } = await startSocketServer();
  const received: string[] = [];
  server.on('connection', (socket) => {
    if (first !== undefined) socket.send(first);
    socket.on('message', (frame: Buffer) => {
      received.push(frame.toString());
      if (frame.toString().includes('"type":"result"')) socket.close(1000);
    });
  });
  return { url, received };
}

test.each([
  ['speaks first', [], prompt('/echo there')],
  ['waits for the agent', ['/echo there'], undefined],
])('the agent works with a host on a plain WebSocket server that %s', { timeout: 30_000 }, async (_, args, first) => {
  const { url, received } = await host(first);
  const { code, stderr } = await run(AGENT, ['-p', ...args, '--sdk-url', url], '', {
    CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'a-token-for-the-host',
  });
  expect([code, stderr]).toEqual([0, '']);
  expect(messagesIn(received.join('')).at(-1)).toMatchObject({ type: 'result', result: 'there' });
});
