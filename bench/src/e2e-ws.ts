import { once } from 'node:events';
import { compareSenders, type Sender, senderOf } from './measure-senders.ts';
import { report } from './report.ts';
import { openSocketChild, type SocketChild } from './sockets/open-child.ts';
import { type SocketPeerName, socketPeers } from './sockets/socket-peers.ts';

const ROWS: readonly { readonly ours: SocketPeerName; readonly to: SocketPeerName; readonly goal?: number }[] = [
  { ours: 'ours', to: 'plain', goal: 2.2 },
  { ours: 'ours, coalesced', to: 'plain', goal: 3.5 },
  { ours: 'ours, sjp.v1', to: 'plain' },
  { ours: 'ours, coalesced', to: 'raw' },
  { ours: 'ours, coalesced, deflate', to: 'plain' },
  { ours: 'ours, coalesced, deflate', to: 'plain, deflate' },
];

/** W3: 20 000 messages of 250 bytes from a server process to a callback of its client. */
export async function e2eWs(): Promise<void> {
  const children: SocketChild[] = [];
  try {
    const senders: Record<string, Sender> = {};
    for (const [name, load] of Object.entries(socketPeers)) {
      const server = await openSocketChild('send', name);
      children.push(server);
      const peer = await load();
      const socket = server.open(peer);
      senders[name] = senderOf(server.child, (onMessages) => peer.receive(socket, onMessages));
      await once(socket, 'open');
    }
    const { ratio, text, isNoisy } = await compareSenders(senders);
    for (const { ours, to, goal } of ROWS) {
      report({
        id: 'W3',
        case: `${ours}, compared with ${to}`,
        metric: 'ratio',
        value: ratio(ours, to, 'rate'),
        tol: 0.15,
        base: to,
        noisy: isNoisy([ours, to]),
        figures: { limit: text('raw'), ours: text(ours), ...(to !== 'raw' && { peer: `${to} ${text(to)}` }) },
        note: `${text(ours)}; ${to} ${text(to)}`,
        ...(goal !== undefined && { goal }),
      });
    }
  } finally {
    for (const { child } of children) child.kill();
  }
}
