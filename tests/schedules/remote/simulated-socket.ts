import type { SocketEvent, SocketLike } from '@proto/transport-websocket';
import type { CUTS } from './world.ts';

type Listener = (...args: never[]) => void;

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** One end of a WebSocket in this process. A frame arrives a moment later, whole and in order, or not at all. */
class SimulatedEnd implements SocketLike {
  readyState = CONNECTING;
  /** Frames that wait for the other end. */
  bufferedAmount = 0;
  /** How many bytes a character counts in `bufferedAmount`. */
  readonly #weight: number;
  protocol = '';
  binaryType = '';
  peer!: SimulatedEnd;
  readonly #socket: SimulatedSocket;
  readonly #listeners: { readonly type: string; readonly listener: Listener }[] = [];
  readonly #waiting: { readonly size: number; readonly arrive: () => void }[] = [];
  #isReading = true;
  #isMoving = false;

  constructor(socket: SimulatedSocket, weight: number) {
    this.#socket = socket;
    this.#weight = weight;
  }

  send(text: string): void {
    this.#pass(text.length, () => this.peer.tell('message', { data: text }));
  }

  ping(mark = ''): void {
    this.#pass(0, () => {
      this.peer.tell('ping');
      this.peer.#pass(0, () => this.tell('pong', mark));
    });
  }

  close(code = 1005): void {
    if (this.readyState === CONNECTING) return this.#socket.fall();
    this.#pass(0, () => {
      this.peer.fall(code);
      this.fall(code);
    });
  }

  terminate(): void {
    this.#socket.fall();
  }

  pause(): void {
    this.#isReading = false;
  }

  resume(): void {
    this.#isReading = true;
    void this.peer.move();
  }

  addEventListener(type: string, listener: (event: SocketEvent) => void): void {
    this.#listeners.push({ type, listener });
  }

  on(type: string, listener: Listener): void {
    this.#listeners.push({ type, listener });
  }

  open(protocol: string): void {
    this.readyState = OPEN;
    this.protocol = protocol;
  }

  fall(code: number): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#waiting.length = 0;
    this.bufferedAmount = 0;
    this.tell('close', { code });
  }

  tell(type: string, ...args: unknown[]): void {
    const isEvent = ['open', 'message', 'close', 'error'].includes(type);
    const given = isEvent ? [{ type, ...(args[0] as object) }] : args;
    for (const one of this.#listeners) if (one.type === type) one.listener(...(given as never[]));
  }

  async move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    for (;;) {
      await Promise.resolve();
      const next = this.#waiting[0];
      if (next === undefined || !this.peer.#isReading || !this.#socket.lets(this, next.size)) break;
      this.#waiting.shift();
      this.bufferedAmount -= next.size * this.#weight;
      next.arrive();
    }
    this.#isMoving = false;
  }

  #pass(size: number, arrive: () => void): void {
    if (this.readyState !== OPEN) return;
    this.#waiting.push({ size, arrive });
    this.bufferedAmount += size * this.#weight;
    void this.move();
  }
}

/** A WebSocket from a client to a server in this process, and the faults it can have. */
export class SimulatedSocket {
  readonly client = new SimulatedEnd(this, 1);
  // The server notices a reader that does not read as early as on an event stream.
  readonly server = new SimulatedEnd(this, 128);
  #cut: { readonly how: (typeof CUTS)[number]; rest: number } | undefined;
  #isRead = true;
  readonly #onFallen: () => void;

  constructor(onFallen: () => void) {
    this.client.peer = this.server;
    this.server.peer = this.client;
    this.#onFallen = onFallen;
  }

  /** The server accepts the socket. */
  accept(protocol: string): void {
    this.server.open(protocol);
  }

  /** The client learns that the socket is open. */
  open(protocol: string): void {
    if (this.client.readyState === CLOSED) return;
    this.client.open(protocol);
    this.client.tell('open');
    void this.server.move();
  }

  /** Breaks the socket, and both ends notice. */
  fall(): void {
    queueMicrotask(() => {
      this.#onFallen();
      this.client.fall(1006);
      this.server.fall(1006);
    });
  }

  /** Answers the upgrade with a status. */
  refuse(statusCode: number): void {
    this.client.tell('unexpected-response', {}, { statusCode, headers: {} });
    this.fall();
  }

  cut(how: (typeof CUTS)[number], bytes: number): void {
    this.#cut ??= { how, rest: bytes };
    if (bytes === 0 && how !== 'stall') this.fall();
  }

  reads(yes: boolean): void {
    this.#isRead = yes;
    void this.server.move();
  }

  /** Whether a frame of an end may pass. A break after a byte of the server happens before the frame with that byte. */
  lets(end: SimulatedEnd, size: number): boolean {
    // Frames that the server sends at once are in the connection before the client reads.
    if (this.client.readyState !== OPEN) return false;
    const isOfServer = end === this.server;
    if (isOfServer && !this.#isRead) return false;
    const cut = this.#cut;
    if (cut === undefined) return true;
    if (isOfServer) cut.rest -= size;
    if (cut.rest > 0 || (!isOfServer && cut.how !== 'stall')) return true;
    if (cut.how !== 'stall') this.fall();
    return false;
  }
}
