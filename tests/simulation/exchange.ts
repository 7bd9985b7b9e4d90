import type { Ingress, OpenSink } from '@proto/ingress';
import type { HttpRequest, HttpResponse } from '@proto/transport-sse';
import type { Network } from './lane.ts';
import type { NodeRun } from './node-run.ts';
import type { SimulatedNodes } from './nodes.ts';
import { bodyCutAfter, textOf } from './request-body.ts';
import type { SimulatedStream } from './stream.ts';

/** The node to which a request is forwarded, and the callbacks of the forwarding node. */
export type ForwardTo = Parameters<NonNullable<NonNullable<Parameters<Ingress['fetch']>[1]>['forward']>>[0];

/** What an exchange needs from its link. */
export interface ExchangeContext {
  readonly network: Network;
  readonly nodes: SimulatedNodes;
  /** Opens the stream of an answer, which may go through another node. */
  readonly openStream: (from: NodeRun, via: NodeRun | undefined) => SimulatedStream;
}

/** A request as it is sent. */
export interface Sent {
  readonly url: string;
  readonly request: HttpRequest;
  /** The body breaks off after so many bytes. */
  readonly bodyCutAfter?: number | undefined;
}

/** An answer, and its stream if it has one. */
export interface Answer {
  readonly response: HttpResponse;
  readonly stream?: SimulatedStream | undefined;
}

/** One request of a client, at the node that receives it, and at the node to which that node may forward it. */
export class Exchange {
  readonly #context: ExchangeContext;
  readonly #sent: Sent;
  #stream: SimulatedStream | undefined;

  constructor(context: ExchangeContext, sent: Sent) {
    this.#context = context;
    this.#sent = sent;
  }

  /** Asks a node. Rejects when the node dies before it answers. */
  async at(node: NodeRun): Promise<Answer> {
    const forward = (to: ForwardTo) => this.#forward(node, to);
    const openSink = this.#openSink(node);
    const given = await node.during(() => node.ingress.fetch(this.#request(), { openSink, forward }));
    const stream = this.#stream;
    if (stream === undefined) return { response: await textOf(given) };
    const { signal } = this.#sent.request;
    if (signal.aborted) stream.abort();
    else signal.addEventListener('abort', () => stream.abort(), { once: true });
    return { stream, response: { status: given.status, headers: given.headers, body: { getReader: () => stream } } };
  }

  #request(header?: ForwardTo['header']): Request {
    const { url, request, bodyCutAfter: bytes } = this.#sent;
    const { method, headers, body } = request;
    const part = body !== undefined && bytes !== undefined ? bodyCutAfter(body, bytes) : body;
    const added = header === undefined ? headers : { ...headers, [header[0]]: header[1] };
    return new Request(url, { method, headers: added, ...(part !== undefined && { body: part, duplex: 'half' }) });
  }

  #openSink(node: NodeRun, via?: NodeRun, onOpen = (_: SimulatedStream) => {}): OpenSink {
    return (own) => {
      const sink = this.#context.openStream(node, via);
      this.#stream = sink;
      onOpen(sink);
      return { sink, response: new Response(null, { headers: { ...own, 'content-type': 'text/event-stream' } }) };
    };
  }

  /** Forwards the request, as the server of a node does, and settles on the machine of the forwarding node. */
  async #forward(near: NodeRun, to: ForwardTo): Promise<Response | undefined> {
    const { network, nodes } = this.#context;
    const far = nodes.withUrl(to.url);
    const onOpen = (stream: SimulatedStream) => stream.onceEnded(to.opened(() => stream.abort()));
    const asked = this.#travel().then(() => {
      if (far === undefined || far.machine.isDead) throw new TypeError('fetch failed');
      const openSink = this.#openSink(far, near, onOpen);
      return far.during(() => far.ingress.fetch(this.#request(to.header), { openSink }));
    });
    const late = new Promise<undefined>((resolve) => near.machine.setTimeout(() => resolve(undefined), to.answerMs));
    const answer = await Promise.race([asked.catch(() => undefined), late]);
    const whole = answer === undefined || this.#stream !== undefined ? answer : await textOf(answer);
    await new Promise<void>((resolve) => network.lane().send(() => near.machine.enter(resolve)));
    if (whole === undefined || whole.status === 503) to.failed();
    return whole;
  }

  /** Settles after the time that a message takes. */
  #travel(): Promise<void> {
    const { network } = this.#context;
    return new Promise((resolve) => network.scheduler.after(network.delay(), resolve));
  }
}
