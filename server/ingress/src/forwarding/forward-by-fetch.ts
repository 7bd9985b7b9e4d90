import { setTimer } from '@proto/core/network';
import { requestHeadersOf } from './forwarded-headers.ts';
import type { ForwardTo } from './forwarding.ts';

const BODY_TIMEOUT_MS = 60_000;

/**
 * Forwards a request by a function like `fetch`, for servers that cannot forward in another way. If the other node cannot be reached, no answer is
 * sent and the result is undefined.
 */
export async function forwardByFetch(
  request: Request,
  to: ForwardTo,
  send: (request: Request) => Promise<Response>,
): Promise<Response | undefined> {
  const ending = new AbortController();
  const done = to.opened(() => ending.abort());
  const ms = request.body === null ? to.answerMs : Math.max(to.answerMs, BODY_TIMEOUT_MS);
  const timer = setTimer(() => ending.abort(), ms);
  try {
    const answer = await orAborted(send(forwardedRequest(request, to, ending.signal)), ending.signal);
    if (answer.status === 503) to.failed();
    const body = answer.body && untilAborted(answer.body, ending.signal, done);
    if (body === null) done();
    // The headers of a `fetch` response are immutable, and the app adds its own headers.
    return new Response(body, answer);
  } catch {
    done();
    to.failed();
    return undefined;
  } finally {
    timer.clear();
  }
}

function forwardedRequest(request: Request, { url, header }: ForwardTo, signal: AbortSignal): Request {
  const { pathname, search, host } = new URL(request.url);
  const headers = requestHeadersOf(request.headers);
  if (!headers.has('host')) headers.set('host', host);
  headers.set(...header);
  const { method, body } = request;
  const streaming = body === null ? {} : { body, duplex: 'half' };
  return new Request(`${url}${pathname}${search}`, { method, headers, signal, redirect: 'manual', ...streaming });
}

/** Passes the bytes on unchanged until the body ends or the signal aborts, and then calls `done`. Reads only as much as the consumer requests. */
function untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  done: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => {});
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const read = await orAborted(reader.read(), signal);
          if (!read.done) return controller.enqueue(read.value);
          controller.close();
        } catch (error) {
          controller.error(error);
          leave();
        }
        done();
      },
      cancel() {
        done();
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns the result of a promise. Rejects when the signal aborts. */
function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
