import type { SocketEvent, SocketLike, SocketRequest } from './socket/socket.ts';

type EventType = 'open' | 'message' | 'close' | 'error';

/** One end of a connection without a network. Frames wait in `outbox` until the network carries them. */
export class FakeSocket implements SocketLike {
  readyState = 0;
  bufferedAmount = 0;
  protocol = '';
  binaryType = '';
  readonly outbox: (() => void)[] = [];
  readonly pings: string[] = [];
  peer: FakeSocket | undefined;
  /** While true nothing passes, and nobody hears of it. */
  silent = false;
  readonly #listeners: { type: string; listener: (...args: never[]) => void }[] = [];

  send(text: string): void {
    this.outbox.push(() => this.peer?.tell('message', { data: text }));
  }

  ping(mark = ''): void {
    this.pings.push(mark);
    this.outbox.push(() => {
      this.peer?.tell('ping');
      this.peer?.outbox.push(() => this.tell('pong', mark));
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

  /** Lets the other side have the next frame; gives whether there was one. */
  carry(): boolean {
    const frame = this.outbox.shift();
    if (frame !== undefined && !this.silent) frame();
    return frame !== undefined;
  }

  open(protocol: string): void {
    this.readyState = 1;
    this.protocol = protocol;
    this.tell('open');
  }

  /** The upgrade is answered with a status instead. */
  refuse(statusCode: number, headers: object = {}): void {
    this.tell('unexpected-response', {}, { statusCode, headers });
  }

  fall(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.outbox.length = 0;
    this.tell('close', { code });
  }

  tell(type: string, ...args: unknown[]): void {
    const event = ['open', 'message', 'close', 'error'].includes(type) ? [{ type, ...(args[0] as object) }] : args;
    for (const each of this.#listeners) if (each.type === type) each.listener(...(event as never[]));
  }
}

/** Every socket that a client opens, and what the network does to it. */
export class FakeNetwork {
  readonly sockets: FakeSocket[] = [];
  readonly requests: SocketRequest[] = [];
  /** What happens to an attempt. Default: it is accepted. */
  onAttempt: (socket: FakeSocket) => void = (socket) => this.accept(socket);
  /** Takes the far ends. */
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

  /** The last socket of the client. */
  get last(): FakeSocket {
    return this.sockets.at(-1) as FakeSocket;
  }

  accept(socket: FakeSocket): void {
    const far = new FakeSocket();
    [socket.peer, far.peer] = [far, socket];
    // A server chooses of what it is offered.
    const isOffered = this.requests[this.sockets.indexOf(socket)]?.protocols.includes(this.#protocol) === true;
    const protocol = isOffered ? this.#protocol : '';
    far.open(protocol);
    this.onAccept(far);
    socket.open(protocol);
  }

  /** Breaks the last connection; what is on its way is lost. */
  cut(): void {
    const { last } = this;
    last.peer?.fall(1006);
    last.fall(1006);
  }

  /** Carries whatever is on its way, and what that leads to. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < 20; ) {
      const moved = this.sockets.flatMap((socket) => [socket, socket.peer]).some((socket) => socket?.carry() === true);
      idle = moved ? 0 : idle + 1;
      await Promise.resolve();
    }
  }
}
