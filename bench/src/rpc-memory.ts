import { compareRpc } from './measure-rpc.ts';
import { reportP50, reportRate } from './report-rpc.ts';
import { inMemory } from './rpc/in-memory.ts';
import type { RpcClient } from './rpc/stream-peer.ts';

const REQUESTS = 3000;

/** R1: requests within one process, compared with only encoding and parsing the JSON of the same frames. */
export async function rpcMemory(): Promise<void> {
  const clients: Record<string, RpcClient> = {};
  for (const [name, open] of Object.entries(inMemory)) clients[name] = await open();
  const peers = Object.keys(clients).filter((name) => name !== 'limit' && !name.startsWith('ours'));
  const result = await compareRpc('limit', clients, REQUESTS);
  reportP50(result, { id: 'R1', ours: 'ours', base: 'limit', peers, goal: 1.3 });
  for (const ours of ['ours, streams', 'ours, full check']) reportP50(result, { id: 'R1', ours, base: 'limit', peers });
  const row = { id: 'R1', ours: 'ours', limit: 'limit', peers };
  reportRate(result, { ...row, base: 'birpc', goal: 1.3 });
  reportRate(result, { ...row, base: '@modelcontextprotocol/sdk', goal: 3 });
  for (const client of Object.values(clients)) await client.close();
}
