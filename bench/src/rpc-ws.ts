import { once } from 'node:events';
import { compareRpc } from './measure-rpc.ts';
import { reportP50, reportRate } from './report-rpc.ts';
import type { RpcClient } from './rpc/stream-peer.ts';
import { openSocketChild, type SocketChild } from './sockets/open-child.ts';
import { socketRpcPeers } from './sockets/socket-peers.ts';

const REQUESTS = 2000;

/** R3: requests over a WebSocket to another process, compared with an echo of the same bytes. */
export async function rpcWs(): Promise<void> {
  const children: SocketChild[] = [];
  try {
    const clients: Record<string, RpcClient> = {};
    for (const [name, load] of Object.entries(socketRpcPeers)) {
      const server = await openSocketChild('rpc', name);
      children.push(server);
      const peer = await load();
      const socket = server.open(peer);
      const opened = once(socket, 'open');
      clients[name] = await peer.connect(socket);
      await opened;
    }
    const result = await compareRpc('raw', clients, REQUESTS);
    const peers = ['capnweb', 'plain'];
    reportP50(result, { id: 'R3', ours: 'ours', base: 'raw', peers, goal: 1.5 });
    const row = { id: 'R3', limit: 'raw', peers };
    reportRate(result, { ...row, ours: 'ours, coalesced', base: 'raw', goal: 1.25 });
    reportRate(result, { ...row, ours: 'ours', base: 'raw', goal: 0.7 });
    reportRate(result, { ...row, ours: 'ours, coalesced', base: 'capnweb', goal: 3.5 });
    reportRate(result, { ...row, ours: 'ours, sjp.v1', base: 'raw' });
  } finally {
    for (const { child } of children) child.kill();
  }
}
