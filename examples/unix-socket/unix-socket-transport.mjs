// A transport over a socket of `node:net`, which either side of it may use: a Unix socket, a pipe of Windows, TCP.
// It was written from docs/write-a-transport.md; what it promises is shown by contract.test.mjs.
import { createLineDecoder } from '@proto/core/framing';
import { defineTransport, incomingLines, TransportError } from '@proto/core/transport';

/** The protocol over a socket that is connected, or is about to be. Make it with `allowHalfOpen`: either side may end first. */
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
    // Last of all, and always: there is nothing left to release.
    socket.on('close', () => control.closed(this.#error));
    if (!socket.pending) control.opened();
  }

  /** Settles late where the system has no room for more: the callback comes when it has. */
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
