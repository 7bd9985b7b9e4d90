import { spawn } from 'node:child_process';
import { CASE_SCRIPT } from './fresh-process.ts';
import { compareRpc } from './measure-rpc.ts';
import { reportP50, reportRate } from './report-rpc.ts';
import type { RpcClient } from './rpc/stream-peer.ts';
import { type StreamPeerName, streamPeers } from './rpc/stream-peers.ts';

const REQUESTS = 2000;

/** R2: requests to a child process, compared with an echo of the same bytes. */
export async function rpcStdio(): Promise<void> {
  const names = (Object.keys(streamPeers) as StreamPeerName[]).filter((name) => name !== 'plain');
  const clients: Record<string, RpcClient> = {};
  const children = names.map((name) => ({
    name,
    child: spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, 'rpc-server', name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  }));
  try {
    for (const { name, child } of children) {
      const { peer } = await streamPeers[name]();
      clients[name] = await peer.connect(child.stdout, child.stdin);
    }
    const result = await compareRpc('raw', clients, REQUESTS);
    const peers = names.filter((name) => name !== 'raw' && !name.startsWith('ours'));
    reportP50(result, { id: 'R2', ours: 'ours', base: 'raw', peers, goal: 1.8 });
    const row = { id: 'R2', limit: 'raw', peers };
    reportRate(result, { ...row, ours: 'ours', base: 'raw', goal: 0.6 });
    reportRate(result, { ...row, ours: 'ours', goal: 3.5 });
    reportRate(result, { ...row, ours: 'ours, full check', base: 'raw', goal: 0.5 });
  } finally {
    for (const { child } of children) child.kill();
  }
}
