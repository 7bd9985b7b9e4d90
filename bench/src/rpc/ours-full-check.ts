import { createSession } from '@proto/core';
import { controlRequests, controlResponses } from '@proto/core/messages';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { peer as ours } from './ours.ts';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const REQUEST = { subtype: 'can_use_tool', ...ASK };

/** Ours, with the whole of each request and answer checked by its schema. */
export const peer: StreamPeer = {
  ...ours,
  serve: (input, output) => serveChecked(createStdioTransport({ input, output })),
  connect: async (input, output) => connectChecked(createStdioTransport({ input, output })),
};

export function serveChecked(transport: Transport): void {
  const { request: schema } = controlRequests.can_use_tool;
  createSession(transport, {
    handlers: {
      can_use_tool(request) {
        if (!schema.safeParse(request).success) throw new Error('not the request');
        return ANSWER;
      },
    },
  });
}

export function connectChecked(transport: Transport): RpcClient {
  const session = createSession(transport);
  const schema = controlResponses.can_use_tool;
  return {
    call: async () => checkAnswer(await session.request(REQUEST, { schema })),
    close: () => session.abort(),
  };
}
