/**
 * Why the server ends a stream:
 * - `superseded`: another worker, or another stream of the same worker, has taken over · `archived`: the session was archived
 * - `revoked`: the account may no longer read · `unavailable`: the accounts cannot be read now
 * - `draining`: the server is shutting down · `stalled`: the other side does not read · `failed`: the store failed
 */
export type EndReason = 'superseded' | 'archived' | 'revoked' | 'unavailable' | 'draining' | 'stalled' | 'failed';

/** The destination of one event stream: a response of Node, a `ReadableStream`, or a WebSocket. */
export interface EventSink {
  /** Writes text. Returns false when the sink is full. In this case, wait for `drained` before the next write. */
  write(text: string): boolean;
  /** The number of bytes that were written but not yet read by the other side; absent if the sink does not know the number. */
  readonly queuedBytes?: number | undefined;
  /** Settles when there is room again, or when the stream has ended. */
  drained(): Promise<void>;
  /** Whether the other side has disconnected or `end` was called. */
  readonly isGone: boolean;
  /** Sets the callback that is called once when `isGone` becomes true. A sink has only one such callback. */
  onceGone(callback: () => void): void;
  /** Ends the stream. Does nothing if the stream has already ended. */
  end(reason: EndReason): void;
}

/** A new event stream: its response and its sink. */
export interface OpenedSink {
  readonly response: Response;
  readonly sink: EventSink;
}

/** Opens an event stream. `headers` are sent in addition to the usual headers of an event stream. */
export type OpenSink = (headers: Readonly<Record<string, string>>) => OpenedSink;

/** Headers that keep proxies from buffering, changing or caching the stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** How many bytes may wait in a sink before it counts as full: 256 KiB. */
export const DEFAULT_MAX_SINK_BYTES = 256 * 1024;

/** Opens an event stream as the body of a `Response`, for any runtime. */
export function openWebSink(headers: Readonly<Record<string, string>>): OpenedSink {
  const encoder = new TextEncoder();
  let isGone = false;
  let onGone = () => {};
  let wake = () => {};
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const hasRoom = () => (controller?.desiredSize ?? 0) > 0;
  const leave = () => {
    isGone = true;
    onGone();
    wake();
  };
  const body = new ReadableStream<Uint8Array>(
    { start: (given) => void (controller = given), pull: () => wake(), cancel: leave },
    { highWaterMark: DEFAULT_MAX_SINK_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return {
    response: new Response(body, { headers: { ...EVENT_STREAM_HEADERS, ...headers } }),
    sink: {
      get isGone() {
        return isGone;
      },
      onceGone: (callback) => void (onGone = callback),
      write(text) {
        if (isGone) return true;
        controller?.enqueue(encoder.encode(text));
        return hasRoom();
      },
      drained: () =>
        new Promise((resolve) => {
          if (isGone || hasRoom()) resolve();
          else wake = resolve;
        }),
      end() {
        if (isGone) return;
        controller?.close();
        leave();
      },
    },
  };
}
