import type { Transport } from '@proto/core/transport';
import { createRedactor, recordTransport, redactedPieces, type Redactor } from '@proto/recording';
import { createParser } from 'eventsource-parser';
import { serveOnLoopback } from '../loopback-server.ts';
import { type ApiFetch, apiFetch, withThisMachine } from './api-fetch.ts';
import { CredentialRedactor } from './credential-redactor.ts';
import { type Exchange, ExchangeWriter, LEFT } from './exchange-writer.ts';
import { requestKey } from './request-key.ts';

/** Where a recorder writes, and which Messages API it forwards to. */
export interface RecordCassetteOptions {
  /** Called with each line of the cassette, including the final LF. */
  readonly write: (line: string) => void;
  /** The address of the Messages API. Default: the variable `ANTHROPIC_BASE_URL` of this process, otherwise `https://api.anthropic.com`. */
  readonly upstream?: string;
  /** The redactor that removes secrets. The credentials in the requests are removed in any case. Default `createRedactor({ env: process.env })`. */
  readonly redactor?: Redactor;
  /** Forwards the agent's requests. Default: a `fetch` that uses the proxies set in environment variables. */
  readonly fetch?: ApiFetch;
  /**
   * How the host starts the agent, for example the result of `agentCommandLine` of `@proto/host`. If the cassette contains this information, it can
   * be played without the host.
   */
  readonly launch?: CassetteLaunch;
}

/** How a host started the agent of a cassette. */
export interface CassetteLaunch {
  /** The arguments after the name of the agent. */
  readonly args: readonly string[];
  /** The variables with which the host describes itself to the agent. */
  readonly env: Readonly<Record<string, string>>;
}

/** A tape that records both connections of an agent: its connection to the host, and its connection to the Messages API. */
export interface CassetteRecorder extends AsyncDisposable {
  /** The variables that cause the agent to use the tape. Add these variables to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Wraps the transport between host and agent. Use the result in place of that transport. Call `record` only once. */
  record(transport: Transport): Transport;
  /** Waits for responses in progress, and closes the port. Close the transport first. */
  close(): Promise<void>;
}

const DEFAULT_UPSTREAM = 'https://api.anthropic.com';

// Request headers that are not forwarded: headers of the connection, and `accept-encoding`, because `fetch` chooses the compression itself.
const NOT_FORWARDED = ['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding', 'expect'];
// The response headers that are stored. Other headers can contain private data, such as accounts and limits.
const KEPT = ['content-type', 'request-id', 'retry-after'];

/**
 * Starts to record a cassette. Keys, credentials and request headers are never written.
 * @throws {TypeError} if the address of the API or a proxy in the environment is not a URL.
 */
export async function recordCassette(options: RecordCassetteOptions): Promise<CassetteRecorder> {
  const tape = new CassetteTape(options, options.fetch ?? (await apiFetch(process.env)));
  const server = await serveOnLoopback((request) => tape.pass(request));
  const close = async () => {
    await tape.end();
    await server.close();
  };
  return {
    env: { ANTHROPIC_BASE_URL: server.url, ...direct(process.env) },
    record: (transport) => tape.record(transport),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns variables that let an agent reach this machine without a proxy. */
export function direct(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const hosts = withThisMachine(env['no_proxy'] ?? env['NO_PROXY'] ?? '');
  return { NO_PROXY: hosts, no_proxy: hosts };
}

class CassetteTape {
  readonly #options: RecordCassetteOptions;
  readonly #send: ApiFetch;
  readonly #upstream: string;
  readonly #redactor: CredentialRedactor;
  readonly #exchanges: ExchangeWriter;
  readonly #pending = new Set<Promise<void>>();
  /** The lines that wait for the header. Undefined after the header has been written. */
  #early: string[] | undefined = [];
  #startedAt = performance.now();

  constructor(options: RecordCassetteOptions, send: ApiFetch) {
    const upstream = options.upstream ?? (process.env['ANTHROPIC_BASE_URL'] || DEFAULT_UPSTREAM);
    if (!URL.canParse(upstream)) throw new TypeError('the address of the API is not a URL');
    this.#options = options;
    this.#send = send;
    this.#upstream = upstream.replace(/\/$/, '');
    const redactor = (this.#redactor = new CredentialRedactor(
      options.redactor ?? createRedactor({ env: process.env }),
    ));
    const now = () => Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    const write = (entry: object) => this.#write(`${JSON.stringify(entry)}\n`);
    this.#exchanges = new ExchangeWriter({ redactor, now, write });
  }

  record(transport: Transport): Transport {
    this.#startedAt = performance.now();
    return recordTransport(transport, {
      side: 'host',
      write: (line) => (line.startsWith('{"recording":') ? this.#begin() : this.#write(line)),
      redactor: this.#redactor,
    });
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#begin();
  }

  async pass(request: Request): Promise<Response> {
    this.#redactor.learn(request.headers);
    const body = await request.text();
    const { pathname, search } = new URL(request.url);
    const clean = (text: string) => this.#redactor.text(text);
    const exchange = this.#exchanges.begin(requestKey(request.method, clean(pathname), body, clean));
    const headers = new Headers(request.headers);
    for (const name of NOT_FORWARDED) headers.delete(name);
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    try {
      const answer = await this.#send(`${this.#upstream}${pathname}${search}`, {
        method: request.method,
        headers: [...headers],
        signal: request.signal,
        ...(hasBody && { body }),
      });
      return this.#taped(answer, exchange, request.signal);
    } catch (error) {
      exchange.end(reasonOf(error, request.signal));
      throw error;
    }
  }

  #taped(answer: Response, exchange: Exchange, signal: AbortSignal): Response {
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
      (error: unknown) => exchange.end(reasonOf(error, signal)),
    );
    this.#pending.add(copy);
    void copy.finally(() => this.#pending.delete(copy));
    const all = new Headers([...answer.headers]);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection']) all.delete(name);
    return new Response(passed, { status: answer.status, headers: all });
  }

  #begin(): void {
    if (this.#early === undefined) return;
    const { write, launch } = this.#options;
    const clean = launch && { launch: cleanLaunch(launch, this.#redactor) };
    write(`${JSON.stringify({ recording: 1, cassette: 1, side: 'host', redacted: true, ...clean })}\n`);
    const early = this.#early;
    this.#early = undefined;
    for (const line of early) write(line);
  }

  #write(line: string): void {
    if (this.#early === undefined) this.#options.write(line);
    else this.#early.push(line);
  }
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (aborted) return LEFT;
  const { name, cause } = error as Error;
  const { code } = Object(cause) as { readonly code?: unknown };
  return typeof code === 'string' ? code : name;
}

/** Also removes a secret whose name is in the preceding argument. */
function cleanLaunch({ args, env }: CassetteLaunch, redactor: Redactor): CassetteLaunch {
  const pieces = args.map((arg) => `${redactor.line(arg).text} `);
  const variables = Object.entries(env).map(([name, value]) => [name, redactor.text(value)]);
  return {
    args: redactedPieces(pieces, redactor).map((piece) => piece.replace(/ $/, '')),
    env: Object.fromEntries(variables),
  };
}

async function copyEvents(body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<void> {
  const parser = createParser({ onEvent: ({ event, data }) => exchange.event(event, data) });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
}

async function copyBody(body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<void> {
  exchange.body(await new Response(body).text());
}
