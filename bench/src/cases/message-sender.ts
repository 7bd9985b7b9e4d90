import { sendWhenTold } from '../send-when-told.ts';
import { type StreamPeerName, streamPeers } from '../rpc/stream-peers.ts';

/** An agent that sends messages of 250 bytes by one of the libraries: as many as it is told over IPC; then it tells its CPU time. */
export async function run([name]: readonly string[]): Promise<void> {
  const { peer } = await streamPeers[name as StreamPeerName]();
  sendWhenTold(await peer.openSender(process.stdin, process.stdout));
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
