import type { RequestListener } from 'node:http';
import type { RpcClient } from '../rpc/stream-peer.ts';

/** Both ends of a library that sends requests by POST and receives the answers over an event stream. */
export interface SsePeer {
  /** Answers each posted request. */
  serve(): RequestListener;
  /** Connects to the address of a session. */
  connect(url: string): Promise<RpcClient>;
}
