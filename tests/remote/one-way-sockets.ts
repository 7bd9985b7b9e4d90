/** A proxy in a network where the sockets of clients are cut in one direction: after its upgrade, nothing of a client arrives. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that passes HTTP requests, and of WebSockets only the upgrade and what the server sends. */
export interface OneWaySockets {
  readonly url: string;
  /** Whether WebSockets may be opened, and whether the answers to POST requests arrive. */
  sockets: boolean;
  answers: boolean;
  /** How many bytes of clients were dropped. */
  readonly dropped: number;
  /** Breaks all connections. */
  cut(): void;
  close(): Promise<void>;
}

const HEAD_END = Buffer.from('\r\n\r\n');

export async function startOneWaySockets(target: string): Promise<OneWaySockets> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const remote = connect(Number(port), hostname);
    let isSocket = false;
    for (const [one, other] of [
      [client, remote],
      [remote, client],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.once('close', () => (open.delete(one), other.destroy()));
    }
    client.on('data', (bytes) => {
      if (isSocket) {
        proxy.dropped += bytes.length;
        return;
      }
      isSocket = bytes.includes('Upgrade: websocket');
      if (isSocket && !proxy.sockets) client.destroy();
      else remote.write(isSocket ? bytes.subarray(0, bytes.indexOf(HEAD_END) + HEAD_END.length) : bytes);
    });
    remote.on('data', (bytes) => {
      if (isSocket || proxy.answers) client.write(bytes);
      else client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets: true,
    answers: true,
    dropped: 0,
    cut() {
      for (const socket of open) socket.destroy();
    },
    async close() {
      this.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
