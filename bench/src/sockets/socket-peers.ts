import type { SocketPeer } from './socket-peer.ts';

type SocketRpcPeer = Pick<SocketPeer, 'protocols' | 'deflate' | 'serve' | 'connect'>;

const deflated = (peer: SocketPeer): SocketPeer => ({ ...peer, deflate: true });
const ours = () => import('./ours.ts');

/** The libraries over WebSockets. A process loads only the libraries that it uses. */
export const socketPeers = {
  raw: async () => (await import('./raw.ts')).peer,
  plain: async () => (await import('./plain.ts')).peer,
  'plain, deflate': async () => deflated((await import('./plain.ts')).peer),
  ours: async () => (await ours()).perFrame,
  'ours, coalesced': async () => (await ours()).coalesced,
  'ours, sjp.v1': async () => (await ours()).resumable,
  'ours, coalesced, deflate': async () => deflated((await ours()).coalesced),
} satisfies Readonly<Record<string, () => Promise<SocketPeer>>>;

/** The libraries that only answer requests. */
export const socketRpcPeers = {
  raw: socketPeers.raw,
  ours: socketPeers.ours,
  'ours, coalesced': socketPeers['ours, coalesced'],
  'ours, sjp.v1': socketPeers['ours, sjp.v1'],
  plain: socketPeers.plain,
  capnweb: async () => (await import('./capnweb.ts')).peer,
} satisfies Readonly<Record<string, () => Promise<SocketRpcPeer>>>;

/** The name of a library that sends messages and answers requests. */
export type SocketPeerName = keyof typeof socketPeers;

/** The name of a library, including those that only answer requests. */
export type SocketRpcPeerName = keyof typeof socketRpcPeers;
