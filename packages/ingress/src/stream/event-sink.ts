/**
 * Why the server ends a stream:
 * - `superseded`: another worker, or another stream of the same, has taken over · `archived`: the session was put away
 * - `revoked`: the account that reads is not allowed to any more · `unavailable`: nobody can tell now whether it is
 * - `draining`: the server goes down · `stalled`: the other side takes nothing · `failed`: the store is in trouble
 */
export type EndReason = 'superseded' | 'archived' | 'revoked' | 'unavailable' | 'draining' | 'stalled' | 'failed';

/** Where one stream goes: on Node the response itself, elsewhere a `ReadableStream`, or a WebSocket. */
export interface EventSink {
  /** Hands over text; false when the other side is behind, and `drained` is to be waited for. */
  write(text: string): boolean;
  /** Settles when there is room again, or the stream is gone. */
  drained(): Promise<void>;
  /** Whether the other side went away, or `end` was called. */
  readonly isGone: boolean;
  /** Calls back when that happens; one callback, once. */
  onceGone(callback: () => void): void;
  end(reason: EndReason): void;
}

/** An event stream about to begin: the response that carries it, and where its text goes. */
export interface OpenedSink {
  readonly response: Response;
  readonly sink: EventSink;
}

/** Begins an event stream, with headers of the answer beside those that every event stream has. */
export type OpenSink = (headers: Readonly<Record<string, string>>) => OpenedSink;

/** No proxy may hold the text back, change or keep it. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** How much may wait in a sink before its reader counts as behind. */
export const DEFAULT_MAX_SINK_BYTES = 256 * 1024;

/** An event stream as the body of a `Response`, for any runtime. */
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
