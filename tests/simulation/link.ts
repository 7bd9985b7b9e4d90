import type { Fetch, HttpRequest, HttpResponse } from '@proto/transport-sse';
import { type OpenSocket, selectProtocol, type SocketRequest } from '@proto/transport-websocket';
import type { CUTS, FATES, Link, LinkKind } from '../schedules/remote/world.ts';
import { Exchange, type ForwardTo } from './exchange.ts';
import type { Network } from './lane.ts';
import type { NodeRun } from './node-run.ts';
import type { SimulatedNodes } from './nodes.ts';
import { SimulatedSocket } from './socket.ts';
import { SimulatedStream } from './stream.ts';
import type { Trace } from './trace.ts';

/** The fate of the next request: one of `FATES`, or its body breaks off after so many bytes. */
export type Fate = (typeof FATES)[number] | { readonly bodyCutAfter: number };

/** What a link needs from the simulation. */
export interface LinkContext {
  readonly network: Network;
  readonly trace: Trace;
  readonly nodes: SimulatedNodes;
  readonly onFlooded: () => void;
}

/** The link of one client to the nodes. */
export class SimulatedLink implements Link {
  readonly #name: string;
  readonly #context: LinkContext;
  readonly #streams = new Set<SimulatedStream>();
  readonly #sockets = new Set<SimulatedSocket>();
  readonly #refused = new Set<LinkKind>();
  #fates: Fate[] = [];
  #reading = true;

  constructor(name: string, context: LinkContext) {
    this.#name = name;
    this.#context = context;
  }

  readonly fetch: Fetch = async (url, request) => {
    const { method, signal } = request;
    const fate = this.#fates.shift();
    const node = this.#context.nodes.next();
    const what = `${method} ${new URL(url).pathname.split('/').slice(5).join('/')} to ${node?.name ?? 'nobody'}`;
    this.#note(`${what}: ${request.body?.length ?? 0}`);
    if (fate !== undefined) this.#fault(typeof fate === 'string' ? fate : 'body cut', what);
    const lost = this.#lost(signal);
    const answer = await Promise.race([lost.never, this.#request(node, url, request, fate)]).finally(lost.forget);
    this.#note(`${what}: answer ${answer.status}`);
    return answer;
  };

  readonly open: OpenSocket = (request) => {
    const fate = this.#fates.shift();
    const node = this.#context.nodes.next();
    this.#note(`socket to ${node?.name ?? 'nobody'}`);
    if (fate !== undefined) this.#fault(typeof fate === 'string' ? fate : 'refused', 'socket');
    const socket = new SimulatedSocket(this.#context.network, node?.machine, {
      broke: (how) => this.#fault(how, 'socket'),
      fallen: () => {
        this.#sockets.delete(socket);
        node?.connections.delete(socket);
      },
    });
    socket.later(() => {
      if (node === undefined || node.machine.isDead || fate === 'refused') socket.fall();
      else if (this.#refused.has('websocket')) socket.refuse(403);
      else if (fate !== 'swallowed') node.machine.enter(() => void this.#upgrade(node, socket, request, fate));
    });
    return socket.client;
  };

  refuse(kind: LinkKind): void {
    this.#refused.add(kind);
    for (const one of kind === 'sse' ? this.#streams : this.#sockets) one.cut('rst', 0);
  }

  allow(): void {
    this.#refused.clear();
  }

  cut(how: (typeof CUTS)[number], bytes: number): void {
    for (const one of [...this.#streams, ...this.#sockets]) one.cut(how, bytes);
  }

  next(fate: Fate): void {
    this.#fates.push(fate);
  }

  cutBody(bytes: number): void {
    this.next({ bodyCutAfter: bytes });
  }

  read(yes: boolean): void {
    if (this.#reading !== yes && !yes) this.#fault('reader stops', 'all');
    this.#reading = yes;
    for (const one of [...this.#streams, ...this.#sockets]) one.reads(yes);
  }

  heal(): void {
    this.#fates = [];
    this.read(true);
  }

  async #request(
    node: NodeRun | undefined,
    url: string,
    request: HttpRequest,
    fate: Fate | undefined,
  ): Promise<HttpResponse> {
    const isRefused = fate === 'refused' || node === undefined;
    await this.#travel();
    request.signal.throwIfAborted();
    if (isRefused || node.machine.isDead) throw new TypeError('fetch failed');
    if (fate === 'swallowed') return never();
    if (this.#refused.has('sse') && request.method === 'GET') return new Response(null, { status: 403 });
    const openStream = (from: NodeRun, via: NodeRun | undefined) => this.#openStream(from, via);
    const sent = { url, request, ...(typeof fate === 'object' && fate) };
    const answer = await new Exchange({ ...this.#context, openStream }, sent).at(node);
    await this.#travel();
    if (fate === undefined) return answer.response;
    answer.stream?.abort();
    if (fate === 'answer swallowed') return never();
    throw new TypeError('terminated');
  }

  #openStream(node: NodeRun, via?: NodeRun): SimulatedStream {
    const { network, onFlooded } = this.#context;
    const events = {
      broke: (how: string) => this.#fault(how, `stream from ${node.name}`),
      left: () => {
        this.#streams.delete(stream);
        node.connections.delete(stream);
        via?.connections.delete(stream);
      },
      flooded: onFlooded,
      arrived: (bytes: number) => this.#note(`${bytes} bytes from ${node.name}`),
    };
    const stream: SimulatedStream = new SimulatedStream(network, node.machine, events, via?.machine);
    this.#streams.add(stream);
    node.connections.add(stream);
    via?.connections.add(stream);
    stream.reads(this.#reading);
    return stream;
  }

  async #upgrade(
    node: NodeRun,
    socket: SimulatedSocket,
    request: SocketRequest,
    fate: Fate | undefined,
    on: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { url, headers, protocols } = request;
    node.connections.add(socket);
    const accept = await node.ingress.upgrade(
      new Request(url.replace(/^ws/, 'http'), { headers: { ...headers, ...on } }),
    );
    // With this response, a node asks its server to forward the connection.
    if (accept instanceof Response && 'to' in accept) {
      return this.#sendOn(node, accept.to as ForwardTo, socket, request, fate);
    }
    node.machine.enter(() => {
      if (typeof accept !== 'function') return socket.later(() => socket.refuse(accept?.status ?? 404));
      const protocol = selectProtocol(protocols) || '';
      socket.accept(protocol);
      this.#sockets.add(socket);
      socket.reads(this.#reading);
      accept(socket.server);
      if (fate === 'answer lost') socket.fall();
      else if (fate === undefined) socket.open(protocol);
    });
  }

  /** Forwards an upgrade to another node, as the server of a node does, and then all frames in both directions. */
  #sendOn(near: NodeRun, to: ForwardTo, socket: SimulatedSocket, request: SocketRequest, fate: Fate | undefined): void {
    const far = this.#context.nodes.withUrl(to.url);
    socket.later(() => {
      if (far === undefined || far.machine.isDead) {
        return near.machine.enter(() => {
          to.failed();
          socket.later(() => socket.refuse(503));
        });
      }
      socket.sentOnTo(far.machine);
      socket.onceFallen(to.opened(() => socket.fall()));
      far.machine.enter(() => void this.#upgrade(far, socket, request, fate, { [to.header[0]]: to.header[1] }));
    });
  }

  /** Settles after the time that a message takes. */
  #travel(): Promise<void> {
    const { network } = this.#context;
    return new Promise((resolve) => network.scheduler.after(network.delay(), resolve));
  }

  /** Rejects when a request is given up. */
  #lost(signal: AbortSignal): { readonly never: Promise<never>; readonly forget: () => void } {
    let forget = () => {};
    const lost = new Promise<never>((_, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      forget = () => signal.removeEventListener('abort', abort);
    });
    lost.catch(() => {});
    return { never: lost, forget };
  }

  #note(what: string): void {
    this.#context.trace.note(this.#context.network.scheduler.time, `${this.#name} ${what}`);
  }

  #fault(kind: string, what: string): void {
    this.#context.trace.fault(this.#context.network.scheduler.time, kind, `${this.#name} ${what}`);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
