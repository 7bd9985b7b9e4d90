import type { OpenSink } from '@proto/ingress';
import type { Fetch, HttpRequest, HttpResponse } from '@proto/transport-sse';
import { type OpenSocket, selectProtocol, type SocketRequest } from '@proto/transport-websocket';
import type { CUTS, FATES, Link, LinkKind } from '../schedules/remote/world.ts';
import type { Network } from './lane.ts';
import type { NodeRun } from './node-run.ts';
import { bodyCutBehind, textOf } from './request-body.ts';
import { SimulatedSocket } from './socket.ts';
import { SimulatedStream } from './stream.ts';
import type { Trace } from './trace.ts';

/** What the next request meets, beside the fates of `FATES`: its body breaks off after so many bytes. */
export type Fate = (typeof FATES)[number] | { readonly bodyCutBehind: number };

/** What a link needs from the simulation. */
export interface LinkContext {
  readonly network: Network;
  readonly trace: Trace;
  /** The node that takes the next connection; undefined if nobody listens. */
  readonly node: () => NodeRun | undefined;
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
    const node = this.#context.node();
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
    const node = this.#context.node();
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
    this.next({ bodyCutBehind: bytes });
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
    const broken = typeof fate === 'object' ? fate.bodyCutBehind : undefined;
    const answer = await node.during(() => this.#ask(node, url, request, broken));
    await this.#travel();
    if (fate === undefined) return answer.response;
    answer.stream?.abort();
    if (fate === 'answer swallowed') return never();
    throw new TypeError('terminated');
  }

  async #ask(node: NodeRun, url: string, { method, headers, body, signal }: HttpRequest, broken: number | undefined) {
    let stream: SimulatedStream | undefined;
    const openSink: OpenSink = (own) => {
      const sink = this.#openStream(node);
      stream = sink;
      return { sink, response: new Response(null, { headers: { ...own, 'content-type': 'text/event-stream' } }) };
    };
    const part = body !== undefined && broken !== undefined ? bodyCutBehind(body, broken) : body;
    const init = { method, headers, ...(part !== undefined && { body: part, duplex: 'half' }) };
    const given = await node.ingress.fetch(new Request(url, init), { openSink });
    if (stream === undefined) return { response: await textOf(given) };
    const { status, headers: answered } = given;
    const opened: SimulatedStream = stream;
    if (signal.aborted) opened.abort();
    else signal.addEventListener('abort', () => opened.abort(), { once: true });
    return { stream: opened, response: { status, headers: answered, body: { getReader: () => opened } } };
  }

  #openStream(node: NodeRun): SimulatedStream {
    const stream: SimulatedStream = new SimulatedStream(this.#context.network, node.machine, {
      broke: (how) => this.#fault(how, `stream from ${node.name}`),
      left: () => {
        this.#streams.delete(stream);
        node.connections.delete(stream);
      },
      flooded: this.#context.onFlooded,
      arrived: (bytes) => this.#note(`${bytes} bytes from ${node.name}`),
    });
    this.#streams.add(stream);
    node.connections.add(stream);
    stream.reads(this.#reading);
    return stream;
  }

  async #upgrade(
    node: NodeRun,
    socket: SimulatedSocket,
    { url, headers, protocols }: SocketRequest,
    fate: Fate | undefined,
  ): Promise<void> {
    node.connections.add(socket);
    const accept = await node.ingress.upgrade(new Request(url.replace(/^ws/, 'http'), { headers }));
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
