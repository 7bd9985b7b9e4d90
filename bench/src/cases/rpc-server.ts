import { type StreamPeerName, streamPeers } from '../rpc/stream-peers.ts';

/** Answers requests on stdin and stdout with one of the libraries, until the input ends. */
export async function run([name]: readonly string[]): Promise<void> {
  const { peer } = await streamPeers[name as StreamPeerName]();
  await peer.serve(process.stdin, process.stdout);
  // Some libraries keep running after the end of their input.
  process.stdin.once('end', () => process.exit());
}
