import type { SocketEvent, SocketLike } from '@proto/transport-websocket';
import type { CUTS } from '../schedules/remote/world.ts';
import type { Network } from './lane.ts';
import type { NodeMachine } from './node-machine.ts';

type Listener = (...args: never[]) => void;

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];

/** One end of a WebSocket. A frame arrives later, whole and in order, or not at all. */
class SimulatedEnd implements SocketLike {
  readyState = CONNECTING;
  /** Frames that wait for the other end. */
  bufferedAmount = 0;
  protocol = '';
  binaryType = '';
  peer!: SimulatedEnd;
  /** The number of bytes that each character adds to `bufferedAmount`. */
  readonly #weight: number;
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
    this.#pass(text.length, () => this.peer.emit('message', { data: text }));
  }

  ping(mark = ''): void {
    this.#pass(0, () => {
      this.peer.emit('ping');
      this.peer.#pass(0, () => this.emit('pong', mark));
    });
  }

  close(code = 1005): void {
    if (this.readyState === CONNECTING) return this.#socket.fall();
    this.#pass(0, () => {
      this.peer.fall(code);
      this.#socket.at(this, () => this.fall(code));
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
    this.peer.move();
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
    this.emit('close', { code });
  }

  emit(type: string, ...args: unknown[]): void {
    const isEvent = ['open', 'message', 'close', 'error'].includes(type);
    const given = isEvent ? [{ type, ...(args[0] as object) }] : args;
    for (const one of this.#listeners) if (one.type === type) one.listener(...(given as never[]));
  }

  /** Lets the next frame arrive after a while, if the other end reads. */
  move(): void {
    if (this.#isMoving || this.#waiting.length === 0) return;
    this.#isMoving = true;
    this.#socket.pass(() => {
      this.#isMoving = false;
      const next = this.#waiting[0];
      if (next === undefined || !this.peer.#isReading || !this.#socket.lets(this, next.size)) return;
      this.#waiting.shift();
      this.bufferedAmount -= next.size * this.#weight;
      this.#socket.at(this.peer, next.arrive);
      this.move();
    });
  }

  #pass(size: number, arrive: () => void): void {
    if (this.readyState !== OPEN) return;
    this.#waiting.push({ size, arrive });
    this.bufferedAmount += size * this.#weight;
    this.move();
  }
}

/** The events of a socket. */
export interface SocketEvents {
  /** The socket broke because of a fault. */
  readonly broke: (how: string) => void;
  readonly fallen: () => void;
}

/** A WebSocket from a client to a node, and the faults it can have. */
export class SimulatedSocket {
  readonly client = new SimulatedEnd(this, 1);
  // The weight makes the server notice a stalled reader as early as on an event stream.
  readonly server = new SimulatedEnd(this, 128);
  readonly #network: Network;
  #machine: NodeMachine | undefined;
  /** The forwarding node, if the socket goes through another node. */
  #via: NodeMachine | undefined;
  readonly #events: SocketEvents;
  #cut: { readonly how: (typeof CUTS)[number]; rest: number; done: boolean } | undefined;
  #isRead = true;
  #isFalling = false;
  #onFallen = () => {};

  /** @param machine the machine of the node. If it is undefined, the socket will be refused. */
  constructor(network: Network, machine: NodeMachine | undefined, events: SocketEvents) {
    this.#network = network;
    this.#machine = machine;
    this.#events = events;
    this.client.peer = this.server;
    this.server.peer = this.client;
  }

  later(work: () => void): void {
    this.#network.scheduler.after(this.#network.delay(), work);
  }

  /** Calls `arrive` after the time that a frame takes from one end to the other. */
  pass(arrive: () => void): void {
    const via = this.#via;
    if (via === undefined) this.later(arrive);
    else this.later(() => via.enter(() => this.later(arrive)));
  }

  /** The node has forwarded the upgrade to another node. */
  sentOnTo(machine: NodeMachine): void {
    this.#via = this.#machine;
    this.#machine = machine;
  }

  /** Does work at one end. */
  at(end: SimulatedEnd, work: () => void): void {
    if (end === this.client) work();
    else this.#machine?.enter(work);
  }

  onceFallen(callback: () => void): void {
    this.#onFallen = callback;
  }

  /** The server accepts the socket. */
  accept(protocol: string): void {
    this.server.open(protocol);
  }

  /** The client learns that the socket is open. */
  open(protocol: string): void {
    this.later(() => {
      if (this.client.readyState === CLOSED || this.#isFalling) return;
      this.client.open(protocol);
      this.client.emit('open');
      this.server.move();
    });
  }

  /** Breaks the socket, and both ends notice. */
  fall(): void {
    if (this.#isFalling) return;
    this.#isFalling = true;
    this.#events.fallen();
    this.#onFallen();
    this.later(() => this.client.fall(1006));
    this.later(() => this.at(this.server, () => this.server.fall(1006)));
  }

  /** The node is gone: its system closes the socket, or with `stall` the socket stays open. */
  orphan(how: (typeof CUTS)[number]): void {
    if (how === 'stall') this.#cut = { how, rest: 0, done: true };
    else this.fall();
  }

  /** Answers the upgrade with a status. */
  refuse(statusCode: number): void {
    this.client.emit('unexpected-response', {}, { statusCode, headers: {} });
    this.fall();
  }

  cut(how: (typeof CUTS)[number], bytes: number): void {
    if (this.#cut !== undefined) return;
    this.#cut = { how, rest: bytes, done: false };
    if (bytes === 0) this.#break();
  }

  reads(yes: boolean): void {
    this.#isRead = yes;
    this.server.move();
  }

  /** Whether a frame of an end may pass. A break after a byte of the server happens before the frame with that byte. */
  lets(end: SimulatedEnd, size: number): boolean {
    // Frames that the server sends at once are in the connection before the client reads.
    if (this.client.readyState !== OPEN || this.#isFalling) return false;
    const isOfServer = end === this.server;
    if (isOfServer && !this.#isRead) return false;
    const cut = this.#cut;
    if (cut === undefined) return true;
    if (isOfServer) cut.rest -= size;
    if (cut.rest > 0 || (!isOfServer && cut.how !== 'stall')) return true;
    this.#break();
    return false;
  }

  #break(): void {
    const cut = this.#cut;
    if (cut === undefined || cut.done) return;
    cut.done = true;
    this.#events.broke(cut.how);
    if (cut.how !== 'stall') this.fall();
  }
}
