import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

/** A request, in any form that a peer may send. */
export interface RequestOptions {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The pieces of the body, sent one by one. */
  readonly body?: string | Buffer | readonly Buffer[];
  /** Sends chunks, without a `Content-Length`. */
  readonly chunked?: boolean;
  /** Default: a new connection. */
  readonly agent?: Agent | undefined;
  /** Cuts the connection when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a request. */
export interface Answer {
  /** Undefined if the connection ended without an answer. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request and reads the answer, which may arrive before the whole body was sent. Never rejects. */
export function sendRequest(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = 'POST', token, headers = {}, body = '', chunked = false, agent, signal } = options;
  const pieces = piecesOf(body);
  const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const framing = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
  return new Promise((resolve) => {
    const none: Answer = { status: undefined, headers: {}, text: '' };
    const sent = request(url, {
      method,
      agent: agent ?? false,
      ...(signal && { signal }),
      headers: {
        ...(method === 'GET' || method === 'HEAD' ? {} : framing),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    let done = () => resolve(none);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      done = () =>
        resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', done);
      response.once('close', done);
      response.once('error', done);
    });
    // A server that refuses early may reset the connection while the body is still being sent.
    sent.once('error', () => done());
    sent.once('close', () => done());
    void writePieces(sent, pieces);
  });
}

/** Parses the JSON of an answer. Returns an empty object for anything else. */
export function jsonOf({ text }: Answer): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function piecesOf(body: NonNullable<RequestOptions['body']>): readonly Buffer[] {
  if (typeof body === 'string') return [Buffer.from(body)];
  return Buffer.isBuffer(body) ? [body] : body;
}

async function writePieces(sent: ReturnType<typeof request>, pieces: readonly Buffer[]): Promise<void> {
  for (const piece of pieces) {
    if (sent.destroyed || sent.writableEnded) return;
    if (sent.write(piece)) continue;
    await new Promise<void>((resolve) => {
      const settle = () => (sent.off('drain', settle).off('close', settle), resolve());
      sent.on('drain', settle).on('close', settle);
    });
  }
  if (!sent.destroyed) sent.end();
}
