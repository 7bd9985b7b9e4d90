import { vi } from 'vitest';
import type { SocketEvent, SocketLike, SocketRequest } from './socket/socket.ts';

type EventType = 'open' | 'message' | 'close' | 'error';

/** Frames wait in `outbox` until the network carries them. */
export class FakeSocket implements SocketLike {
  readyState = 0;
  bufferedAmount = 0;
  protocol = '';
  binaryType = '';
  readonly outbox: (() => void)[] = [];
  readonly pings: string[] = [];
  peer: FakeSocket | undefined;
  /** While true, frames are dropped without an event. */
  silent = false;
  readonly #listeners: { type: string; listener: (...args: never[]) => void }[] = [];

  send(text: string): void {
    this.outbox.push(() => this.peer?.emit('message', { data: text }));
  }

  ping(mark = ''): void {
    this.pings.push(mark);
    this.outbox.push(() => {
      this.peer?.emit('ping');
      this.peer?.outbox.push(() => this.emit('pong', mark));
    });
  }

  close(code = 1005): void {
    if (this.readyState >= 2) return;
    this.readyState = 2;
    this.outbox.push(() => {
      this.peer?.fall(code);
      this.fall(code);
    });
  }

  terminate(): void {
    queueMicrotask(() => this.fall(1006));
  }

  addEventListener(type: EventType, listener: (event: SocketEvent) => void): void {
    this.#listeners.push({ type, listener: listener });
  }

  on(event: string, listener: (...args: never[]) => void): void {
    this.#listeners.push({ type: event, listener });
  }

  /** Returns whether there was a frame. */
  carry(): boolean {
    const frame = this.outbox.shift();
    if (frame !== undefined && !this.silent) frame();
    return frame !== undefined;
  }

  open(protocol: string): void {
    this.readyState = 1;
    this.protocol = protocol;
    this.emit('open');
  }

  refuse(statusCode: number, headers: object = {}): void {
    this.emit('unexpected-response', {}, { statusCode, headers });
  }

  fall(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.outbox.length = 0;
    this.emit('close', { code });
  }

  emit(type: string, ...args: unknown[]): void {
    const event = ['open', 'message', 'close', 'error'].includes(type) ? [{ type, ...(args[0] as object) }] : args;
    for (const each of this.#listeners) if (each.type === type) each.listener(...(event as never[]));
  }
}

export class FakeNetwork {
  readonly sockets: FakeSocket[] = [];
  readonly requests: SocketRequest[] = [];
  /** The default accepts the attempt. */
  onAttempt: (socket: FakeSocket) => void = (socket) => this.accept(socket);
  onAccept: (socket: FakeSocket) => void = () => {};
  readonly #protocol: string;

  constructor(protocol = '') {
    this.#protocol = protocol;
  }

  readonly open = (request: SocketRequest): FakeSocket => {
    const socket = new FakeSocket();
    this.requests.push(request);
    this.sockets.push(socket);
    queueMicrotask(() => {
      if (socket.readyState === 0) this.onAttempt(socket);
    });
    return socket;
  };

  get last(): FakeSocket {
    return this.sockets.at(-1) as FakeSocket;
  }

  accept(socket: FakeSocket): void {
    const far = new FakeSocket();
    [socket.peer, far.peer] = [far, socket];
    // A server may choose only a subprotocol that it was offered.
    const isOffered = this.requests[this.sockets.indexOf(socket)]?.protocols.includes(this.#protocol) === true;
    const protocol = isOffered ? this.#protocol : '';
    far.open(protocol);
    this.onAccept(far);
    socket.open(protocol);
  }

  /** Frames on their way are lost. */
  cut(): void {
    const { last } = this;
    last.peer?.fall(1006);
    last.fall(1006);
  }

  /** Delivers all frames in transit, and the frames that are sent in answer. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 20; ) {
      const moved = this.sockets.flatMap((socket) => [socket, socket.peer]).some((socket) => socket?.carry() === true);
      idle = moved ? 0 : idle + 1;
      await Promise.resolve();
    }
  }
}

/** Advances the fake clock second by second, and delivers every frame that was sent. */
export async function pass(network: FakeNetwork, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    await network.settle();
  }
}
