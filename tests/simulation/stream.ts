import type { EventSink } from '@proto/ingress';
import type { BodyReader } from '@proto/transport-sse';
import type { CUTS } from '../schedules/remote/world.ts';
import type { Lane, Network } from './lane.ts';
import type { NodeMachine } from './node-machine.ts';

/** Small enough that a reader which does not read is soon stalled. */
const ROOM_BYTES = 1500;
/** The beginning and the end of a stream may be written although the reader is stalled. */
const MAX_BEYOND = 5;

/** The events of a stream. */
export interface StreamEvents {
  /** The stream broke because of a fault. */
  readonly broke: (how: string) => void;
  /** The stream is over for the server. */
  readonly left: () => void;
  /** The server keeps writing to a reader that does not read. */
  readonly flooded: () => void;
  /** Bytes have arrived. */
  readonly arrived: (bytes: number) => void;
}

/** An event stream from a node to a client, which may break or stall at any byte. */
export class SimulatedStream implements EventSink, BodyReader {
  isGone = false;
  readonly #network: Network;
  readonly #machine: NodeMachine;
  /** The forwarding node, if the stream goes through another node. */
  readonly #via: NodeMachine | undefined;
  readonly #events: StreamEvents;
  readonly #down: Lane;
  readonly #up: Lane;
  /** The pieces that have arrived and were not read. */
  readonly #pieces: Uint8Array[] = [];
  /** The bytes that the server has written and the client has not read, as the server knows it. */
  #waiting = 0;
  #rest = Infinity;
  #cut: (typeof CUTS)[number] | undefined;
  #isBroken = false;
  #isEnded = false;
  #reading = true;
  #wakeReader = () => {};
  #wakeWriter = () => {};
  #onGone = () => {};
  #onEnded = () => {};
  /** The number of writes since the reader stalled. */
  #beyond = 0;

  constructor(network: Network, machine: NodeMachine, events: StreamEvents, via?: NodeMachine) {
    this.#via = via;
    this.#network = network;
    this.#machine = machine;
    this.#events = events;
    this.#down = network.lane(via);
    this.#up = network.lane(via);
  }

  write(text: string): boolean {
    if (this.isGone) return true;
    const bytes = new TextEncoder().encode(text);
    this.#waiting += bytes.length;
    this.#down.send(() => this.#arrive(bytes));
    const hasRoom = this.#waiting < ROOM_BYTES;
    this.#beyond = hasRoom ? 0 : this.#beyond + 1;
    if (this.#beyond > MAX_BEYOND) this.#events.flooded();
    return hasRoom;
  }

  async drained(): Promise<void> {
    while (!this.isGone && this.#waiting >= ROOM_BYTES)
      await new Promise<void>((resolve) => (this.#wakeWriter = resolve));
    this.#beyond = 0;
  }

  /** Sets a callback that is called when no more bytes pass. */
  onceEnded(callback: () => void): void {
    this.#onEnded = callback;
  }

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  end(): void {
    this.#down.send(() => {
      this.#isEnded = true;
      this.#onEnded();
      this.#wakeReader();
    });
    this.#leave();
  }

  async read() {
    for (;;) {
      if (this.#isBroken && this.#cut === 'rst') throw new TypeError('terminated');
      const piece = this.#reading ? this.#pieces.shift() : undefined;
      if (piece !== undefined) {
        this.#up.send(() => this.#machine.enter(() => this.#taken(piece.length)));
        return { done: false, value: piece };
      }
      if (this.#pieces.length === 0 && (this.#isEnded || (this.#isBroken && this.#cut === 'fin')))
        return { done: true };
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  async cancel(): Promise<void> {
    this.abort();
  }

  /** Breaks the stream after so many further bytes. */
  cut(how: (typeof CUTS)[number], bytes: number): void {
    if (this.#cut !== undefined || this.#isEnded) return;
    this.#cut = how;
    this.#rest = bytes;
    if (bytes === 0) this.#break();
  }

  /** The client closes the stream. */
  abort(): void {
    if (this.#isBroken || this.#isEnded) return;
    this.#cut = 'rst';
    this.#breakBoth();
  }

  /** The node is gone: its system closes the stream, or with `stall` the stream stays open. */
  orphan(how: (typeof CUTS)[number]): void {
    this.#network.scheduler.after(this.#network.delay(), () => {
      if (this.#isBroken || this.#isEnded) return;
      this.#cut = how;
      this.#breakBoth();
    });
  }

  reads(yes: boolean): void {
    this.#reading = yes;
    this.#wakeReader();
  }

  #arrive(bytes: Uint8Array): void {
    if (this.#isBroken) return;
    const part = bytes.subarray(0, this.#rest);
    this.#rest -= part.length;
    this.#events.arrived(part.length);
    if (part.length > 0) this.#pieces.push(part);
    if (this.#rest === 0) this.#break();
    this.#wakeReader();
  }

  #break(): void {
    this.#events.broke(this.#cut ?? '');
    this.#breakBoth();
  }

  /** No more bytes pass. Both ends notice a break, the server a little later. Neither end notices a stall. */
  #breakBoth(): void {
    this.#isBroken = true;
    this.#onEnded();
    // The system of a node that has died closes its links to other nodes, too.
    const up = this.#via?.isDead === true ? this.#network.lane() : this.#up;
    if (this.#cut !== 'stall') up.send(() => this.#machine.enter(() => this.#leave()));
    this.#wakeReader();
  }

  #taken(bytes: number): void {
    this.#waiting -= bytes;
    this.#wakeWriter();
  }

  #leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#events.left();
    this.#onGone();
    this.#wakeWriter();
  }
}
