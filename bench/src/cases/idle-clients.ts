import { connect } from 'node:net';

/** How many streams are opened at a time: as many as fit into the backlog of a server. */
const AT_ONCE = 50;

/** Opens event streams, reports to its parent when all have begun, and keeps them open. Arguments: port, path, token, how many. */
export async function run([port = '', path = '', token = '', count = '']: readonly string[]): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(request));
      let seen = '';
      socket.once('error', reject).on('data', (data) => {
        seen += String(data);
        if (seen.includes('"verdict":"ok"')) resolve();
      });
    });
  for (let opened = 0; opened < Number(count); opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(count) - opened) }, open));
  }
  process.send?.('open');
  // The open streams keep the process alive until its parent ends it.
}
