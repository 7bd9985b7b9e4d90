import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { CASE_SCRIPT } from './fresh-process.ts';
import { compareSenders, type Sender, senderOf } from './measure-senders.ts';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';
import { type StreamPeerName, streamPeers } from './rpc/stream-peers.ts';

const GOALS: Partial<Record<StreamPeerName, number>> = {
  plain: 1.5,
  'vscode-jsonrpc': 4.5,
  '@modelcontextprotocol/sdk': 6,
  '@agentclientprotocol/sdk': 6,
};

/** W2: 20 000 messages of 250 bytes from an agent process to a callback of the host. */
export async function e2eStdio(): Promise<void> {
  const names = (Object.keys(streamPeers) as StreamPeerName[]).filter((name) => name !== 'ours, full check');
  const children: ChildProcess[] = [];
  try {
    const senders: Record<string, Sender> = {};
    for (const name of names) {
      const child = spawn(process.execPath, ['--no-warnings', CASE_SCRIPT, 'message-sender', name], {
        stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
      });
      children.push(child);
      await once(child, 'message');
      const { peer } = await streamPeers[name]();
      senders[name] = senderOf(child, (onMessages) =>
        peer.receive(child.stdout as Readable, child.stdin as Writable, onMessages),
      );
    }
    const { ratio, text, isNoisy } = await compareSenders(senders);
    for (const name of names) {
      if (name === 'ours') continue;
      const goal = GOALS[name];
      report({
        id: 'W2',
        case: `250B, compared with ${name}`,
        metric: 'ratio',
        value: ratio('ours', name, 'rate'),
        tol: 0.1,
        base: versionOf(name),
        noisy: isNoisy(['ours', name]),
        figures: {
          limit: text('raw'),
          ours: text('ours'),
          ...(name !== 'raw' && { peer: `${versionOf(name)} ${text(name)}` }),
        },
        note: `CPU of both ${(1 / ratio('ours', name, 'cpu')).toFixed(2)} x less`,
        ...(goal !== undefined && { goal }),
      });
    }
  } finally {
    for (const child of children) child.kill();
  }
}
