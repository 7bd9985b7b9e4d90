import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { DEFAULT_MAX_SINK_BYTES, EVENT_STREAM_HEADERS, type EventSink, type OpenSink } from '../stream/event-sink.ts';

/** Event streams that write to the response itself: a stream in between costs more memory than the connection. */
export function nodeSinkOpener(response: ServerResponse): OpenSink {
  return (headers) => {
    // Whoever waits for its end holds the request, which nobody needs any more; an idle stream is to cost its connection.
    const sink = new NodeSink(response.removeAllListeners('close'));
    response.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    response.flushHeaders();
    return { response: RESPONSE_ALREADY_SENT, sink };
  };
}

// A connection that breaks is told by its close, too.
const ignore = () => {};

/** A class, and no signal, because a server may have very many of them, all idle. */
class NodeSink implements EventSink {
  readonly #response: ServerResponse;
  #isGone = false;
  #onGone: () => void = ignore;

  constructor(response: ServerResponse) {
    this.#response = response;
    // It comes once, and `once` would keep a state of its own for each.
    response.on('close', () => this.#leave());
    response.on('error', ignore);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  write(text: string): boolean {
    if (!this.#isGone) this.#response.write(text);
    return this.#hasRoom();
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isGone || this.#hasRoom()) return resolve();
      const settle = () => {
        this.#response.off('drain', settle).off('close', settle);
        resolve();
      };
      this.#response.on('drain', settle).on('close', settle);
    });
  }

  end(): void {
    if (this.#isGone) return;
    // What a stalled reader does not take would keep the connection open.
    if (this.#hasRoom()) this.#response.end();
    else this.#response.destroy();
    this.#leave();
  }

  #hasRoom(): boolean {
    return this.#response.writableLength < DEFAULT_MAX_SINK_BYTES;
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#onGone();
  }
}
