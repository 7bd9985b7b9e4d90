import { createSseTransport } from '@proto/transport-sse';
import { undiciFetch } from '@proto/transport-sse/node';
import { connectOver } from '../rpc/ours.ts';
import { answerViewers } from './answer-viewers.ts';
import type { SsePeer } from './sse-peer.ts';

/** Ours: what is asked while a POST is under way is in the next one. */
export const batched: SsePeer = oursWith({});

/** Ours, each message by itself. */
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
