import { compareRpc } from './measure-rpc.ts';
import { reportP50, reportRate } from './report-rpc.ts';
import type { RpcClient } from './rpc/stream-peer.ts';
import { type ServerChild, startServer } from './server-child.ts';
import { ssePeers } from './sse/sse-peers.ts';

const REQUESTS = 300;

/** R4: requests that are posted to another process and answered over an event stream, compared with the same bytes by POST and stream. */
export async function rpcSsePost(): Promise<void> {
  const children: ServerChild[] = [];
  const clients: Record<string, RpcClient> = {};
  try {
    for (const [name, load] of Object.entries(ssePeers)) {
      const server = await startServer('sse-server', name);
      children.push(server);
      const { connect } = await load();
      clients[name] = await connect(`http://127.0.0.1:${server.port}/v1/code/sessions/cse_${'0'.repeat(32)}`);
    }
    const result = await compareRpc('raw', clients, REQUESTS);
    const mcp = ['@modelcontextprotocol/sdk, SSE', '@modelcontextprotocol/sdk, streamable'];
    const peers = ['eventsource, fetch', ...mcp];
    reportP50(result, { id: 'R4', ours: 'ours', base: 'raw', peers, goal: 1.25 });
    const row = { id: 'R4', limit: 'raw' };
    reportRate(result, { ...row, ours: 'ours', base: 'raw', peers, goal: 3 });
    reportRate(result, { ...row, ours: 'ours', peers: mcp, goal: 15 });
    reportRate(result, { ...row, ours: 'ours, one per POST', base: 'raw', peers });
  } finally {
    for (const { close } of Object.values(clients)) await close();
    for (const { child } of children) child.kill();
  }
}
