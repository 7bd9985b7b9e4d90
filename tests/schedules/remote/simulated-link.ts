import type { OpenSink } from '@proto/ingress';
import type { Fetch, HttpRequest, HttpResponse } from '@proto/transport-sse';
import type { SimulatedServer } from './simulated-server.ts';
import { SimulatedStream } from './simulated-stream.ts';
import type { FATES, Link } from './world.ts';

/** A way to a server in this process. */
export class SimulatedLink implements Link {
  readonly #server: () => SimulatedServer | undefined;
  readonly #streams = new Set<SimulatedStream>();
  #fates: (typeof FATES)[number][] = [];
  #reading = true;

  constructor(server: () => SimulatedServer | undefined) {
    this.#server = server;
  }

  readonly fetch: Fetch = async (url, request) => {
    await Promise.resolve();
    request.signal.throwIfAborted();
    const fate = this.#fates.shift();
    const server = this.#server();
    if (fate === 'refused' || server === undefined) throw new TypeError('fetch failed');
    if (fate === 'swallowed') return aborted(request.signal);
    const stream = new SimulatedStream(() => this.#streams.delete(stream));
    const response = await this.#ask(server, stream, url, request);
    if (fate === undefined) return response;
    stream.abort();
    if (fate === 'answer swallowed') return aborted(request.signal);
    throw new TypeError('terminated');
  };

  cut(how: Parameters<Link['cut']>[0], bytes: number): void {
    for (const stream of this.#streams) stream.cut(how, bytes);
  }

  next(fate: (typeof FATES)[number]): void {
    this.#fates.push(fate);
  }

  read(yes: boolean): void {
    this.#reading = yes;
    for (const stream of this.#streams) stream.reads(yes);
  }

  heal(): void {
    this.#fates = [];
    this.read(true);
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
