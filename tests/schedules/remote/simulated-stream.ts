import type { EventSink } from '@proto/ingress';
import type { BodyReader } from '@proto/transport-sse';
import type { CUTS } from './world.ts';

/** Small enough that a reader which does not read is soon stalled. */
const ROOM_BYTES = 1500;
/** The beginning and the end of a stream may be written although the reader is stalled. */
const MAX_BEYOND = 5;

/** An event stream from a server to a client whose delivery is controlled byte by byte. */
export class SimulatedStream implements EventSink, BodyReader {
  isGone = false;
  #pieces: Uint8Array[] = [];
  #waiting = 0;
  #cut: { readonly how: (typeof CUTS)[number]; rest: number } | undefined;
  #ended = false;
  #reading = true;
  #wakeReader = () => {};
  #wakeWriter = () => {};
  #onGone = () => {};
  /** The number of writes since the reader stalled. */
  #beyond = 0;
  readonly #onLeft: () => void;
  readonly #onFlooded: () => void;

  /** Calls back when the server's side has ended, and if the server keeps writing to a stalled reader. */
  constructor(onLeft: () => void, onFlooded: () => void) {
    this.#onLeft = onLeft;
    this.#onFlooded = onFlooded;
  }

  write(text: string): boolean {
    if (this.isGone) return true;
    const bytes = new TextEncoder().encode(text);
    this.#pieces.push(bytes);
    this.#waiting += bytes.length;
    this.#wakeReader();
    const hasRoom = this.#waiting < ROOM_BYTES;
    this.#beyond = hasRoom ? 0 : this.#beyond + 1;
    if (this.#beyond > MAX_BEYOND) this.#onFlooded();
    return hasRoom;
  }

  async drained(): Promise<void> {
    while (!this.isGone && this.#waiting >= ROOM_BYTES)
      await new Promise<void>((resolve) => (this.#wakeWriter = resolve));
  }

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  end(): void {
    this.#ended = true;
    this.#leave();
  }

  async read() {
    for (;;) {
      const cut = this.#cut;
      if (cut?.rest === 0 && cut.how !== 'stall') {
        this.#leave();
        if (cut.how === 'fin') return { done: true };
        throw new TypeError('terminated');
      }
      const piece = this.#reading && cut?.rest !== 0 ? this.#pieces.shift() : undefined;
      if (piece !== undefined) {
        const value = piece.subarray(0, cut?.rest);
        if (cut !== undefined) cut.rest -= value.length;
        this.#waiting -= piece.length;
        this.#wakeWriter();
        return { done: false, value };
      }
      if (this.#ended && this.#pieces.length === 0) return { done: true };
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }

  async cancel(): Promise<void> {
    this.cut('rst', 0);
  }

  cut(how: (typeof CUTS)[number], bytes: number): void {
    this.#cut ??= { how, rest: bytes };
    // The connection reports the end even to a client that does not read.
    if (bytes === 0 && how !== 'stall') this.#leave();
    this.#wakeReader();
  }

  /** The client closes the stream. */
  abort(): void {
    this.#cut = { how: 'rst', rest: 0 };
    this.#leave();
    this.#wakeReader();
  }

  reads(yes: boolean): void {
    this.#reading = yes;
    this.#wakeReader();
  }

  #leave(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.#onLeft();
    this.#onGone();
    this.#wakeWriter();
    this.#wakeReader();
  }
}
