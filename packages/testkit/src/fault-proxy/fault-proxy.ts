import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { checkDurations } from '@proto/core/network';
import { type Cut, ProxiedConnection, type ProxyFaults } from './proxied-connection.ts';

/** A proxy on this machine that passes bytes between clients and one server, with faults. */
export interface FaultProxy extends AsyncDisposable {
  /** The address for clients, with the server's scheme and without a slash at the end. */
  readonly url: string;
  /** The number of open connections. */
  readonly connections: number;
  /** Replaces the faults, for open and new connections. */
  misbehave(faults: ProxyFaults): void;
  /** Cuts each open connection after `afterBytes` more bytes from the server. Default 0, which cuts the connections immediately. */
  cut(how: Cut, afterBytes?: number): void;
  /** Cuts open connections. Fulfils when the port is free again. */
  close(): Promise<void>;
}

/** Starts a proxy for a server at `http://HOST:PORT`, `ws://…` or another address. If `target` is a function, it is called for each connection. */
export async function startFaultProxy(target: string | (() => string), faults: ProxyFaults = {}): Promise<FaultProxy> {
  const address = () => new URL(typeof target === 'string' ? target : target());
  const connections = new Set<ProxiedConnection>();
  checkDurations(faults);
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
  const cut = (how: Cut, afterBytes = 0) => {
    for (const connection of connections) connection.cut(how, afterBytes);
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
      checkDurations(next);
      present = next;
      for (const connection of connections) connection.misbehave(next);
    },
    cut,
    close,
    [Symbol.asyncDispose]: close,
  };
}
