// A transport over a socket of `node:net`, for both sides: a Unix socket, a Windows pipe, or TCP.
// Written after docs/write-a-transport.md; contract.test.mjs shows that it keeps the transport contract.
import { createLineDecoder } from '@proto/core/framing';
import { defineTransport, incomingLines, TransportError } from '@proto/core/transport';

/** Creates a transport over a socket that is connected or connecting. Create the socket with `allowHalfOpen`: either side may end first. */
export function createUnixSocketTransport(socket, options = {}) {
  return defineTransport('unix-socket', (control) => new UnixSocketDriver(control, socket, options), options);
}

class UnixSocketDriver {
  #socket;
  #error;

  constructor(control, socket, { maxLineBytes }) {
    this.#socket = socket;
    const decoder = createLineDecoder(maxLineBytes === undefined ? {} : { maxLineBytes });
    socket.on('connect', () => control.opened());
    socket.on('data', (chunk) => control.receive(incomingLines(decoder.push(chunk))));
    socket.on('end', () => {
      control.receive(incomingLines(decoder.end()));
      control.ended();
    });
    socket.on('error', (cause) => {
      const code = socket.pending ? 'connect-failed' : 'lost';
      this.#error ??= new TransportError(code, `unix-socket: ${cause.code ?? 'broken'}`, { cause });
    });
    // `close` is always the last event: nothing is left to release.
    socket.on('close', () => control.closed(this.#error));
    if (!socket.pending) control.opened();
  }

  /** Settles when the system has room for more data, which Node reports with a callback. */
  write({ text }) {
    return new Promise((resolve, reject) => {
      const roomy = this.#socket.write(text, (cause) =>
        cause ? reject(new TransportError('lost', 'unix-socket: writing failed', { cause })) : resolve(),
      );
      if (roomy) resolve();
    });
  }

  flush() {
    return this.write({ text: '' });
  }

  end() {
    return new Promise((resolve) => this.#socket.end(resolve));
  }

  async close() {
    if (!this.#socket.pending && !this.#socket.writableEnded) await this.end();
    this.#socket.destroy();
  }

  abort() {
    this.#socket.destroy();
  }

  pause() {
    this.#socket.pause();
  }

  resume() {
    this.#socket.resume();
  }
}
