import type { BodyReader, Fetch, HttpRequest, HttpResponse } from './http.ts';

export interface FakeEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly source: string;
  readonly payload: string;
}

/** The outcome of a request: served, a status, a refused connection, no answer, or served with a lost answer. */
export type Fate =
  | 'served'
  | 'unreachable'
  | 'stalled'
  | 'lost'
  | { readonly status: number; readonly headers?: Record<string, string> };

export class FakeSession {
  readonly log: FakeEvent[] = [];
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  }[] = [];
  readonly streams = new Set<FakeStream>();
  /** The number of posted messages that were already in the log. */
  repeated = 0;
  fate: (request: HttpRequest, url: string) => Fate = () => 'served';
  /** The first text of a stream, given its cursor. */
  greeting: (cursor: number) => string = () => '';
  chunk: (bytes: Uint8Array) => Uint8Array[] = (bytes) => [bytes];
  onPosted: (event: FakeEvent) => void = () => {};

  readonly fetch: Fetch = async (url, request) => {
    this.requests.push({ method: request.method, url, headers: request.headers });
    await Promise.resolve();
    request.signal.throwIfAborted();
    const fate = this.fate(request, url);
    if (fate === 'unreachable') throw new TypeError('fetch failed');
    if (fate === 'stalled') return aborted(request.signal);
    if (typeof fate === 'object') return answer(fate.status, fate.headers);
    const answered = this.serve(request, new URL(url));
    if (fate === 'lost') throw new TypeError('terminated');
    return answered;
  };

  protected serve(request: HttpRequest, _url: URL): HttpResponse {
    if (request.method === 'GET') return this.open(request);
    this.#store(request.body ?? '');
    return answer(200);
  }

  protected shows(_event: FakeEvent): boolean {
    return true;
  }

  say(payload: object, uuid: string = crypto.randomUUID()): void {
    this.append(JSON.stringify(payload), uuid, 'worker', 'type' in payload ? String(payload.type) : '');
  }

  append(payload: string, id: string, source: string, type = 'user'): void {
    if (this.log.some((event) => event.id === id)) {
      this.repeated++;
      return;
    }
    const event = { id, sequence: this.log.length + 1, type, source, payload };
    this.log.push(event);
    if (this.shows(event)) this.write(frameOf(event));
    if (source !== 'worker') this.onPosted(event);
  }

  write(text: string): void {
    for (const stream of this.streams) stream.push(text);
  }

  /** Breaks every stream after a number of pending pieces. */
  cut(arriving = Infinity): void {
    for (const stream of this.streams) stream.fail(new TypeError('terminated'), arriving);
  }

  /** Ends the session after the events in the log. */
  end(): void {
    const before = this.fate;
    this.fate = (request, url) => {
      const fate = before(request, url);
      const read = Number(request.headers['Last-Event-ID'] ?? 0) >= this.log.length;
      return fate === 'served' && read ? { status: 410 } : fate;
    };
    for (const stream of this.streams) stream.fail(undefined);
  }

  silence(): void {
    for (const stream of this.streams) stream.silent = true;
  }

  protected open({ headers, signal }: HttpRequest): HttpResponse {
    const cursor = Number(headers['Last-Event-ID'] ?? 0);
    const stream = new FakeStream(this.chunk, () => this.streams.delete(stream));
    signal.addEventListener('abort', () => stream.fail(signal.reason));
    this.streams.add(stream);
    stream.push(`: hello\n\n${this.greeting(cursor)}`);
    for (const event of this.log.slice(cursor).filter((event) => this.shows(event))) stream.push(frameOf(event));
    return {
      status: 200,
      headers: headersOf({ 'content-type': 'text/event-stream' }),
      body: { getReader: () => stream },
    };
  }

  #store(body: string): void {
    const { events } = JSON.parse(body) as { events: { payload: { uuid?: string; type?: string } }[] };
    for (const { payload } of events) {
      this.append(JSON.stringify(payload), payload.uuid ?? crypto.randomUUID(), 'client', payload.type);
    }
  }
}

class FakeStream implements BodyReader {
  silent = false;
  readonly #chunk: (bytes: Uint8Array) => Uint8Array[];
  readonly #onGone: () => void;
  readonly #pieces: Uint8Array[] = [];
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(chunk: (bytes: Uint8Array) => Uint8Array[], onGone: () => void) {
    this.#chunk = chunk;
    this.#onGone = onGone;
  }

  get waiting(): number {
    return this.#pieces.length;
  }

  push(text: string): void {
    if (this.silent) return;
    this.#pieces.push(...this.#chunk(new TextEncoder().encode(text)));
    this.#wake();
  }

  fail(error: unknown, arriving = Infinity): void {
    this.#failure ??= { error };
    this.#pieces.splice(arriving);
    this.#onGone();
    this.#wake();
  }

  async read() {
    for (;;) {
      const value = this.#pieces.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#failure !== undefined && this.#failure.error === undefined) return { done: true };
      if (this.#failure !== undefined) throw this.#failure.error;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async cancel() {
    this.fail(new TypeError('cancelled'));
  }
}

export function frameOf({ id, sequence, type, source, payload }: FakeEvent): string {
  const envelope = { event_id: id, sequence_num: sequence, event_type: type, source };
  return `id: ${sequence}\nevent: client_event\ndata: ${JSON.stringify(envelope).slice(0, -1)},"payload":${payload},"created_at":"now"}\n\n`;
}

export function answer(status: number, headers: Record<string, string> = {}, body?: object): HttpResponse {
  const stream =
    body &&
    new FakeStream(
      (bytes) => [bytes],
      () => {},
    );
  stream?.push(JSON.stringify(body));
  stream?.fail(undefined);
  return { status, headers: headersOf(headers), body: stream === undefined ? null : { getReader: () => stream } };
}

function headersOf(headers: Record<string, string>): HttpResponse['headers'] {
  return { get: (name) => headers[name] ?? null };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
