import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { LONGEST_TIMER_MS } from '@proto/core/network';

/** An answer from a server. */
export interface Answer {
  readonly status: number;
  readonly httpVersion: string;
  readonly headers: IncomingMessage['headers'];
  /** The body of an answer, up to 64 kB, or the first bytes of a stream. */
  readonly text: string;
  /** The milliseconds until the headers arrived, and until the first byte of the body arrived (undefined if no byte arrived). */
  readonly headMs: number;
  readonly firstByteMs: number | undefined;
}

/** A request of the doctor. */
export interface Probe {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer is a stream, of which only the first bytes are read. Default false. */
  readonly isStream?: boolean;
  readonly timeoutMs: number;
}

const MAX_BODY_LENGTH = 65_536;

/** Sends a request, and returns the answer. Rejects with the system error, or with a `TimeoutError` if no headers arrive in time. */
export async function probe({ url, headers = {}, isStream = false, timeoutMs }: Probe): Promise<Answer> {
  const signal = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
  const from = performance.now();
  const request = start(url, { headers: { ...headers }, signal });
  // An abort after the headers must not become an unhandled error.
  request.on('error', () => {});
  request.end();
  const [response, socket] = (await once(request, headers['upgrade'] === undefined ? 'response' : 'answered', {
    signal,
  })) as [IncomingMessage, { destroy(): void } | undefined];
  socket?.destroy();
  const headMs = performance.now() - from;
  const { text, firstByteMs } = await bodyOf(response, isStream, from);
  request.destroy();
  const { statusCode = 0, httpVersion } = response;
  return { status: statusCode, httpVersion, headers: response.headers, text, headMs, firstByteMs };
}

function start(url: URL, options: RequestOptions) {
  // Another check examines the certificate, and its advice is better than the error of a request.
  const request =
    url.protocol === 'https:'
      ? requestHttps(url, { ...options, rejectUnauthorized: false })
      : requestHttp(url, options);
  request.on('upgrade', (response, socket) => request.emit('answered', response, socket));
  request.on('response', (response) => request.emit('answered', response));
  return request;
}

async function bodyOf(response: IncomingMessage, isStream: boolean, from: number) {
  let [text, firstByteMs] = ['', undefined as number | undefined];
  if (response.statusCode === 101) return { text, firstByteMs };
  try {
    for await (const chunk of response) {
      firstByteMs ??= performance.now() - from;
      text += String(chunk);
      if (isStream || text.length > MAX_BODY_LENGTH) break;
    }
  } catch {
    // The time limit has passed or the server broke off the answer, so the received part is used.
  }
  return { text, firstByteMs };
}
