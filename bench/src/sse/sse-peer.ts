import type { RequestListener } from 'node:http';
import type { RpcClient } from '../rpc/stream-peer.ts';

/** A way to ask by POST and be answered over an event stream, both ends. */
export interface SsePeer {
  /** Answers each request that is posted. */
  serve(): RequestListener;
  /** To the address of a session. */
  connect(url: string): Promise<RpcClient>;
}
