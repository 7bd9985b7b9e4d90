import type { StreamPeer } from './stream-peer.ts';

/** The libraries over byte streams; a process loads those it uses. By the name of the package, where it is one. */
export const streamPeers = {
  raw: () => import('./raw.ts'),
  plain: () => import('./plain.ts'),
  ours: () => import('./ours.ts'),
  'ours, full check': () => import('./ours-full-check.ts'),
  'vscode-jsonrpc': () => import('./vscode.ts'),
  '@agentclientprotocol/sdk': () => import('./acp.ts'),
  '@modelcontextprotocol/sdk': () => import('./mcp-1.ts'),
  '@modelcontextprotocol/server': () => import('./mcp-2.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly peer: StreamPeer }>>>;

/** One of them. */
export type StreamPeerName = keyof typeof streamPeers;
