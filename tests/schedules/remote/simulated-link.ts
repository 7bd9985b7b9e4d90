import type { OpenSink } from '@proto/ingress';
import type { Fetch, HttpRequest, HttpResponse } from '@proto/transport-sse';
import { type OpenSocket, selectProtocol, type SocketRequest } from '@proto/transport-websocket';
import type { SimulatedServer } from './simulated-server.ts';
import { SimulatedSocket } from './simulated-socket.ts';
import { SimulatedStream } from './simulated-stream.ts';
import type { FATES, Link, LinkKind } from './world.ts';

/** The link of one client to a server in this process. */
export class SimulatedLink implements Link {
  readonly #server: () => SimulatedServer | undefined;
  readonly #onFlooded: () => void;
  readonly #streams = new Set<SimulatedStream>();
  readonly #sockets = new Set<SimulatedSocket>();
  readonly #refused = new Set<LinkKind>();
  #fates: (typeof FATES)[number][] = [];
  #reading = true;

  constructor(server: () => SimulatedServer | undefined, onFlooded: () => void) {
    this.#server = server;
    this.#onFlooded = onFlooded;
  }

  readonly fetch: Fetch = async (url, request) => {
    await Promise.resolve();
    request.signal.throwIfAborted();
    const fate = this.#fates.shift();
    const server = this.#server();
    if (fate === 'refused' || server === undefined) throw new TypeError('fetch failed');
    if (fate === 'swallowed') return aborted(request.signal);
    if (this.#refused.has('sse') && request.method === 'GET') return new Response(null, { status: 403 });
    const stream = new SimulatedStream(() => this.#streams.delete(stream), this.#onFlooded);
    const response = await this.#ask(server, stream, url, request);
    if (fate === undefined) return response;
    stream.abort();
    if (fate === 'answer swallowed') return aborted(request.signal);
    throw new TypeError('terminated');
  };

  readonly open: OpenSocket = (request) => {
    const socket = new SimulatedSocket(() => this.#sockets.delete(socket));
    this.#upgrade(socket, request).catch(() => socket.fall());
    return socket.client;
  };

  refuse(kind: LinkKind): void {
    this.#refused.add(kind);
    for (const one of kind === 'sse' ? this.#streams : this.#sockets) one.cut('rst', 0);
  }

  /** Stops refusing links. */
  allow(): void {
    this.#refused.clear();
  }

  cut(how: Parameters<Link['cut']>[0], bytes: number): void {
    for (const one of [...this.#streams, ...this.#sockets]) one.cut(how, bytes);
  }

  next(fate: (typeof FATES)[number]): void {
    this.#fates.push(fate);
  }

  read(yes: boolean): void {
    this.#reading = yes;
    for (const one of [...this.#streams, ...this.#sockets]) one.reads(yes);
  }

  heal(): void {
    this.#fates = [];
    this.read(true);
  }

  async #upgrade(socket: SimulatedSocket, { url, headers, protocols }: SocketRequest): Promise<void> {
    await Promise.resolve();
    const fate = this.#fates.shift();
    const server = this.#server();
    if (fate === 'refused' || server === undefined) return socket.fall();
    if (fate === 'swallowed') return;
    if (this.#refused.has('websocket')) return socket.refuse(403);
    const accept = await server.upgrade(new Request(url.replace(/^ws/, 'http'), { headers }));
    if (typeof accept !== 'function') return socket.refuse(accept?.status ?? 404);
    const protocol = selectProtocol(protocols) || '';
    socket.accept(protocol);
    this.#sockets.add(socket);
    socket.reads(this.#reading);
    accept(socket.server);
    if (fate === 'answer lost') socket.fall();
    else if (fate === undefined) socket.open(protocol);
  }

  async #ask(
    server: SimulatedServer,
    stream: SimulatedStream,
    url: string,
    request: HttpRequest,
  ): Promise<HttpResponse> {
    const { method, headers, body, signal } = request;
    signal.addEventListener('abort', () => stream.abort(), { once: true });
    let opened = false;
    const openSink: OpenSink = (own) => {
      opened = true;
      this.#streams.add(stream);
      stream.reads(this.#reading);
      return {
        sink: stream,
        response: new Response(null, { headers: { ...own, 'content-type': 'text/event-stream' } }),
      };
    };
    const asked = new Request(url, { method, headers, ...(body !== undefined && { body }) });
    const response = await server.fetch(asked, { openSink });
    signal.throwIfAborted();
    if (!opened) return response;
    return { status: response.status, headers: response.headers, body: { getReader: () => stream } };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
