import { createSession, type Session } from '@proto/core';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const REQUEST = { subtype: 'can_use_tool', ...ASK };

/** Our library, with the checks that are always on. */
export const peer: StreamPeer = {
  serve: (input, output) => serveOver(createStdioTransport({ input, output })),
  connect: async (input, output) => connectOver(createStdioTransport({ input, output })),
  openSender: async (input, output) => sendOver(createStdioTransport({ input, output })),
  receive: (input, output, onMessages) => receiveOver(createStdioTransport({ input, output }), onMessages),
};

/** Answers requests over any transport. */
export function serveOver(transport: Transport): Session {
  return createSession(transport, { handlers: { can_use_tool: () => ANSWER } });
}

/** Sends requests over any transport. */
export function connectOver(transport: Transport): RpcClient {
  const session = createSession(transport);
  return {
    call: async () => checkAnswer(await session.request(REQUEST)),
    close: () => session.abort(),
  };
}

/** Sends messages over any transport, as `StreamPeer.openSender`. */
export function sendOver(transport: Transport): (message: object) => unknown {
  const session = createSession(transport);
  return (message) => session.emit(message as { type: string });
}

/** Reads messages from any transport, as `StreamPeer.receive`. */
export async function receiveOver(transport: Transport, onMessages: (count: number) => void): Promise<void> {
  for await (const item of createSession(transport)) if (item.kind === 'message') onMessages(1);
}
