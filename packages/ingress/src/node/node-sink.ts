import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { DEFAULT_MAX_SINK_BYTES, EVENT_STREAM_HEADERS, type OpenSink } from '../stream/event-sink.ts';

/** Event streams that write to the response itself: a stream in between costs more memory than the connection. */
export function nodeSinkOpener(response: ServerResponse): OpenSink {
  return (headers) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // A connection that breaks is told by its close, too.
    response.on('error', () => {});
    response.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    response.flushHeaders();
    const hasRoom = () => response.writableLength < DEFAULT_MAX_SINK_BYTES;
    return {
      response: RESPONSE_ALREADY_SENT,
      sink: {
        gone: gone.signal,
        write(text) {
          if (!gone.signal.aborted) response.write(text);
          return hasRoom();
        },
        drained: () =>
          new Promise((resolve) => {
            if (gone.signal.aborted || hasRoom()) return resolve();
            const settle = () => {
              response.off('drain', settle);
              response.off('close', settle);
              resolve();
            };
            response.on('drain', settle);
            response.on('close', settle);
          }),
        end() {
          if (gone.signal.aborted) return;
          // What a stalled reader does not take would keep the connection open.
          if (hasRoom()) response.end();
          else response.destroy();
          gone.abort();
        },
      },
    };
  };
}
