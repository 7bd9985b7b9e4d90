import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { DEFAULT_MAX_SINK_BYTES, EVENT_STREAM_HEADERS, type EventSink, type OpenSink } from '../stream/event-sink.ts';

/** Opens event streams that write to the response directly, because a `ReadableStream` in between would take more memory than the connection. */
export function nodeSinkOpener(response: ServerResponse): OpenSink {
  return (headers) => {
    // The server's own listener would keep the request in memory. An idle stream should take no more memory than its connection.
    const sink = new NodeSink(response.removeAllListeners('close'));
    response.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    response.flushHeaders();
    return { response: RESPONSE_ALREADY_SENT, sink };
  };
}

/** How much text of one turn is buffered, in UTF-16 units. The limit makes sure that a full sink is noticed while a long log is written to it. */
const MAX_UNSENT_UNITS = 64 * 1024;

// The `close` event reports a broken connection too.
const ignore = () => {};

/**
 * An event stream of a Node response. The object is kept small, because a server may have very many idle streams. Everything written in one turn of
 * the event loop is sent as one chunk, because a POST often contains many events, and each chunk costs more than all other work for an event.
 */
class NodeSink implements EventSink {
  readonly #response: ServerResponse;
  #unsent = '';
  #isGone = false;
  #onGone: () => void = ignore;

  constructor(response: ServerResponse) {
    this.#response = response;
    // This uses `on`, because `once` would keep a closure for each response. The event is emitted only once anyway.
    response.on('close', () => this.#leave());
    response.on('error', ignore);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  write(text: string): boolean {
    if (this.#isGone) return true;
    if (this.#unsent === '') queueMicrotask(() => this.#send());
    this.#unsent += text;
    if (this.#unsent.length >= MAX_UNSENT_UNITS) this.#send();
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
    this.#send();
    // Unread data of a stalled reader would keep the connection open.
    if (this.#hasRoom()) this.#response.end();
    else this.#response.destroy();
    this.#leave();
  }

  #send(): void {
    if (this.#unsent !== '' && !this.#isGone) this.#response.write(this.#unsent);
    this.#unsent = '';
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
