import type { Transport } from '@proto/core/transport';
import { createRedactor, recordTransport, type Redactor } from '@proto/recording';
import { createParser } from 'eventsource-parser';
import { serveOnLoopback } from '../loopback-server.ts';
import { type Exchange, ExchangeWriter } from './exchange-writer.ts';
import { requestKey } from './request-key.ts';

/** Where a cassette is written, and where the Messages API is. */
export interface RecordCassetteOptions {
  /** Called with each line of the cassette, which ends with LF. */
  readonly write: (line: string) => void;
  /** The address of the Messages API. Default `https://api.anthropic.com`. */
  readonly upstream?: string;
  /** Removes secrets. Default `createRedactor()`. */
  readonly redactor?: Redactor;
  /** Sends the requests of the agent on. Default: `fetch` of the platform. */
  readonly fetch?: typeof fetch;
}

/** A tape that records both seams of an agent: what it says to its host, and what it asks of its model. */
export interface CassetteRecorder extends AsyncDisposable {
  /** The variables that lead the agent to the tape. Add them to the environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Wraps the transport between host and agent. Use the result in place of that transport. Call it once. */
  record(transport: Transport): Transport;
  /** Waits for requests that are under way, and closes the port. Close the transport before. */
  close(): Promise<void>;
}

export const DEFAULT_UPSTREAM = 'https://api.anthropic.com';

// Of a request: what belongs to the connection, and the compression, which `fetch` undoes.
const NOT_FORWARDED = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding', 'expect'];
// Of an answer: all others name accounts, limits and places, which are nobody's business.
const KEPT = ['content-type', 'request-id', 'retry-after'];

/** Begins a cassette. Keys, credentials and headers of requests are never written. */
export async function recordCassette(options: RecordCassetteOptions): Promise<CassetteRecorder> {
  const { write, upstream = DEFAULT_UPSTREAM, redactor = createRedactor(), fetch: send = fetch } = options;
  let startedAt = performance.now();
  const now = () => Math.round((performance.now() - startedAt) * 1000) / 1000;
  const writer = new ExchangeWriter({ redactor, now, write: (entry) => write(`${JSON.stringify(entry)}\n`) });
  const pending = new Set<Promise<void>>();
  const server = await serveOnLoopback(async (request) => {
    const body = await request.text();
    const { pathname, search } = new URL(request.url);
    const exchange = writer.begin(requestKey(request.method, pathname, body, (text) => redactor.text(text)));
    const headers = new Headers(request.headers);
    for (const name of NOT_FORWARDED) headers.delete(name);
    try {
      const address = `${upstream.replace(/\/$/, '')}${pathname}${search}`;
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
      const answer = await send(address, {
        method: request.method,
        headers,
        signal: request.signal,
        ...(hasBody && { body }),
      });
      return taped(answer, exchange, pending);
    } catch (error) {
      exchange.end((error as Error).name);
      throw error;
    }
  });
  const close = async () => {
    await Promise.allSettled(pending);
    await server.close();
  };
  return {
    env: { ANTHROPIC_BASE_URL: server.url },
    record(transport) {
      startedAt = performance.now();
      return recordTransport(transport, { side: 'host', write: (line) => write(withMark(line)), redactor });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Marks the header of a recording as that of a cassette. */
function withMark(line: string): string {
  return line.startsWith('{"recording":') ? line.replace('{', '{"cassette":1,') : line;
}

/** Passes an answer on, and writes a copy of it. */
function taped(answer: Response, exchange: Exchange, pending: Set<Promise<void>>): Response {
  const headers = Object.fromEntries(
    KEPT.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [])),
  );
  exchange.answer(answer.status, headers);
  if (answer.body === null) {
    exchange.end();
    return new Response(null, { status: answer.status, headers });
  }
  const [passed, copied] = answer.body.tee();
  const isStream = (headers['content-type'] ?? '').startsWith('text/event-stream');
  const copy = (isStream ? copyEvents(copied, exchange) : copyBody(copied, exchange)).then(
    () => exchange.end(),
    (error: unknown) => exchange.end((error as Error).name),
  );
  pending.add(copy);
  void copy.finally(() => pending.delete(copy));
  const all = new Headers(answer.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) all.delete(name);
  return new Response(passed, { status: answer.status, headers: all });
}

async function copyEvents(body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<void> {
  const parser = createParser({ onEvent: ({ event, data }) => exchange.event(event, data) });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
}

async function copyBody(body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<void> {
  exchange.body(await new Response(body).text());
}
