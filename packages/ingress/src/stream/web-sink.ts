import { DEFAULT_MAX_SINK_BYTES, EVENT_STREAM_HEADERS, type OpenedSink } from './event-sink.ts';

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
