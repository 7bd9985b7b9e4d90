import { once } from 'node:events';
import { WebSocket } from 'ws';

/** How many sockets are opened at a time: as many as fit into the backlog of a server. */
const AT_ONCE = 50;

/** Opens WebSockets, sends a frame on each if there is one, reports to its parent, and keeps them open. Arguments: port, how many, the frame. */
export async function run([port = '', count = '', sent = '']: readonly string[]): Promise<void> {
  process.on('disconnect', () => process.exit());
  const open = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    await once(socket, 'open');
    if (sent !== '') await new Promise((resolve) => socket.send(sent, resolve));
  };
  for (let opened = 0; opened < Number(count); opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(count) - opened) }, open));
  }
  process.send?.('open');
}
