import type { SocketPeer } from './socket-peer.ts';

type SocketRpcPeer = Pick<SocketPeer, 'protocols' | 'deflate' | 'serve' | 'connect'>;

const deflated = (peer: SocketPeer): SocketPeer => ({ ...peer, deflate: true });
const ours = () => import('./ours.ts');

/** The ways to use a WebSocket; a process loads those it uses. */
export const socketPeers = {
  raw: async () => (await import('./raw.ts')).peer,
  plain: async () => (await import('./plain.ts')).peer,
  'plain, deflate': async () => deflated((await import('./plain.ts')).peer),
  ours: async () => (await ours()).perFrame,
  'ours, coalesced': async () => (await ours()).coalesced,
  'ours, sjp.v1': async () => (await ours()).resumable,
  'ours, coalesced, deflate': async () => deflated((await ours()).coalesced),
} satisfies Readonly<Record<string, () => Promise<SocketPeer>>>;

/** Those that only answer requests. */
export const socketRpcPeers = {
  raw: socketPeers.raw,
  ours: socketPeers.ours,
  'ours, coalesced': socketPeers['ours, coalesced'],
  'ours, sjp.v1': socketPeers['ours, sjp.v1'],
  plain: socketPeers.plain,
  capnweb: async () => (await import('./capnweb.ts')).peer,
} satisfies Readonly<Record<string, () => Promise<SocketRpcPeer>>>;

/** One of the first. */
export type SocketPeerName = keyof typeof socketPeers;

/** One of the second. */
export type SocketRpcPeerName = keyof typeof socketRpcPeers;
