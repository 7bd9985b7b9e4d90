import { type StreamPeerName, streamPeers } from '../rpc/stream-peers.ts';

/** Answers on stdin and stdout, by one of the libraries, until its input ends. */
export async function run([name]: readonly string[]): Promise<void> {
  const { peer } = await streamPeers[name as StreamPeerName]();
  await peer.serve(process.stdin, process.stdout);
  // Not every library ends with its input.
  process.stdin.once('end', () => process.exit());
}
