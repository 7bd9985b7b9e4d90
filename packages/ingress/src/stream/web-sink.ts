import { DEFAULT_MAX_SINK_BYTES, EVENT_STREAM_HEADERS, type OpenedSink } from './event-sink.ts';

/** An event stream as the body of a `Response`, for any runtime. */
export function openWebSink(headers: Readonly<Record<string, string>>): OpenedSink {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let wake = () => {};
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => wake(),
      cancel() {
        gone.abort();
        wake();
      },
    },
    { highWaterMark: DEFAULT_MAX_SINK_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return {
    response: new Response(body, { headers: { ...EVENT_STREAM_HEADERS, ...headers } }),
    sink: {
      gone: gone.signal,
      write(text) {
        if (gone.signal.aborted) return true;
        controller?.enqueue(encoder.encode(text));
        return (controller?.desiredSize ?? 0) > 0;
      },
      drained: () =>
        new Promise((resolve) => {
          if (gone.signal.aborted || (controller?.desiredSize ?? 0) > 0) resolve();
          else wake = resolve;
        }),
      end() {
        if (gone.signal.aborted) return;
        controller?.close();
        gone.abort();
        wake();
      },
    },
  };
}
