import { createSession, type Session } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const REQUEST = { subtype: 'can_use_tool', ...ASK };

/** Ours, with the checks that are always on. */
export const peer: StreamPeer = {
  serve: (input, output) => serveOver(createStdioTransport({ input, output })),
  connect: async (input, output) => connectOver(createStdioTransport({ input, output })),
  async openSender(input, output) {
    const session = createSession(createStdioTransport({ input, output }));
    return (message) => session.emit(message as { type: string });
  },
  async receive(input, output, onMessages) {
    const session = createSession(createStdioTransport({ input, output }));
    for await (const item of session) if (item.kind === 'message') onMessages(1);
  },
};

/** Answers over any transport. */
export function serveOver(transport: Transport): Session {
  return createSession(transport, { handlers: { can_use_tool: () => ANSWER } });
}

/** Asks over any transport. */
export function connectOver(transport: Transport): RpcClient {
  const session = createSession(transport);
  return {
    call: async () => checkAnswer(await session.request(REQUEST)),
    close: () => session.abort(),
  };
}
