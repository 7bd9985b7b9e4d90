import { sendOnRequest } from '../send-on-request.ts';
import { type StreamPeerName, streamPeers } from '../rpc/stream-peers.ts';

/** An agent that sends messages of 250 bytes with one of the libraries: as many as its parent requests over IPC. Reports its CPU time afterwards. */
export async function run([name]: readonly string[]): Promise<void> {
  const { peer } = await streamPeers[name as StreamPeerName]();
  sendOnRequest(await peer.openSender(process.stdin, process.stdout));
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
