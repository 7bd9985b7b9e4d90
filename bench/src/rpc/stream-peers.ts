import type { StreamPeer } from './stream-peer.ts';

/** The libraries over byte streams, by the name of their package. A process loads only the libraries that it uses. */
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

/** The name of a library. */
export type StreamPeerName = keyof typeof streamPeers;
