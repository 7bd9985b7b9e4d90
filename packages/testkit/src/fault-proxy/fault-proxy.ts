import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type Cut, ProxiedConnection, type ProxyFaults } from './proxied-connection.ts';

/** A proxy on this machine that passes bytes between clients and one server, as badly as it is told to. */
export interface FaultProxy extends AsyncDisposable {
  /** What clients use in place of the server's address; of the same scheme, without a slash at the end. */
  readonly url: string;
  /** How many connections are open. */
  readonly connections: number;
  /** What happens to connections from now on, to those that are open as well. It replaces what was said before. */
  misbehave(faults: ProxyFaults): void;
  /** Cuts what is open now, each connection behind so many further bytes of the server; default: at once. */
  cut(how: Cut, behindBytes?: number): void;
  /** Fulfils when the port is free again; open connections are cut. */
  close(): Promise<void>;
}

/** Starts a proxy in front of `http://HOST:PORT`, `ws://…` or any other; a function is asked for each connection. */
export async function startFaultProxy(target: string | (() => string), faults: ProxyFaults = {}): Promise<FaultProxy> {
  const address = () => new URL(typeof target === 'string' ? target : target());
  const connections = new Set<ProxiedConnection>();
  let present = faults;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (present.refuses) return void client.on('error', () => {}).resetAndDestroy();
    const { hostname, port } = address();
    const upstream = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true });
    const connection = new ProxiedConnection(client, upstream, present);
    connections.add(connection);
    client.once('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (how: Cut, behindBytes = 0) => {
    for (const connection of connections) connection.cut(how, behindBytes);
  };
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    cut('rst');
    await closed;
  };
  return {
    url: `${address().protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections.size;
    },
    misbehave(next) {
      present = next;
      for (const connection of connections) connection.misbehave(next);
    },
    cut,
    close,
    [Symbol.asyncDispose]: close,
  };
}
