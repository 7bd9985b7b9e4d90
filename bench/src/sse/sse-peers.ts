import type { SsePeer } from './sse-peer.ts';

const ours = () => import('./ours.ts');
const mcp = () => import('./mcp.ts');

/** The libraries that send by POST. A process loads only the libraries that it uses. */
export const ssePeers = {
  raw: async () => (await import('./raw.ts')).peer,
  ours: async () => (await ours()).batched,
  'ours, one per POST': async () => (await ours()).onePerPost,
  'eventsource, fetch': async () => (await import('./plain.ts')).peer,
  '@modelcontextprotocol/sdk, SSE': async () => (await mcp()).legacy,
  '@modelcontextprotocol/sdk, streamable': async () => (await mcp()).streamable,
} satisfies Readonly<Record<string, () => Promise<SsePeer>>>;

/** The name of a library. */
export type SsePeerName = keyof typeof ssePeers;
