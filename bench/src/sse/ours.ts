import { createSseTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { connectOver } from '../rpc/ours.ts';
import { answerViewers } from './answer-viewers.ts';
import type { SsePeer } from './sse-peer.ts';

/** Our transport: messages that are sent during a POST are joined in the next POST. */
export const batched: SsePeer = oursWith({});

/** Our transport, with one POST for each message. */
export const onePerPost: SsePeer = oursWith({ maxPostBytes: 1 });

function oursWith(options: { readonly maxPostBytes?: number }): SsePeer {
  return {
    serve: answerViewers,
    async connect(url) {
      const transport = createSseTransport({ url, fetch: undiciFetch(), ...options });
      await transport.opened;
      return connectOver(transport);
    },
  };
}
