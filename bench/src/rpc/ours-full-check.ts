import { createSession, type Schema } from '@proto/core';
import { messageValidator, parseControlAnswer, type PermissionResult } from '@proto/core/messages';
import type { Transport } from '@proto/core/transport';
import { createStdioTransport } from '@proto/transport-stdio';
import { peer as ours } from './ours.ts';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { RpcClient, StreamPeer } from './stream-peer.ts';

const REQUEST = { subtype: 'can_use_tool', ...ASK } as const;

/** Our library, with complete checks of each request and answer. */
export const peer: StreamPeer = {
  ...ours,
  serve: (input, output) => serveChecked(createStdioTransport({ input, output })),
  connect: async (input, output) => connectChecked(createStdioTransport({ input, output })),
};

export function serveChecked(transport: Transport): void {
  createSession(transport, {
    validate: messageValidator({ direction: 'from-agent', mode: 'strict' }),
    handlers: { can_use_tool: () => ANSWER },
  });
}

const schema: Schema<PermissionResult> = {
  safeParse(value: unknown) {
    const parsed = parseControlAnswer('can_use_tool', value, 'strict');
    if (parsed.kind === 'known') return { success: true as const, data: parsed.message };
    return { success: false as const, error: { issues: parsed.kind === 'invalid' ? parsed.issues : [] } };
  },
};

export function connectChecked(transport: Transport): RpcClient {
  const session = createSession(transport);
  return {
    call: async () => checkAnswer(await session.request(REQUEST, { schema })),
    close: () => session.abort(),
  };
}
