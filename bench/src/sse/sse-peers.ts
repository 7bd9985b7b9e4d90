import type { SsePeer } from './sse-peer.ts';

const ours = () => import('./ours.ts');
const mcp = () => import('./mcp.ts');

/** The ways to ask by POST; a process loads those it uses. */
export const ssePeers = {
  raw: async () => (await import('./raw.ts')).peer,
  ours: async () => (await ours()).batched,
  'ours, one per POST': async () => (await ours()).onePerPost,
  'eventsource, fetch': async () => (await import('./plain.ts')).peer,
  '@modelcontextprotocol/sdk, SSE': async () => (await mcp()).legacy,
  '@modelcontextprotocol/sdk, streamable': async () => (await mcp()).streamable,
} satisfies Readonly<Record<string, () => Promise<SsePeer>>>;

/** One of them. */
export type SsePeerName = keyof typeof ssePeers;
