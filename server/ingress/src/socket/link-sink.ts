import type { ServerConnection, SocketLike } from '@proto/transport-websocket';
import type { EndReason, EventSink } from '../stream/event-sink.ts';

export type CloseCodes = Readonly<Record<EndReason, number>>;

/** Codes after which every client behaves correctly: it stops, or tries again. */
export const closeCodes: CloseCodes = {
  superseded: 4090,
  archived: 1000,
  revoked: 4003,
  unavailable: 1013,
  draining: 1012,
  stalled: 1013,
  failed: 1011,
};

/** Codes for published workers over a bare socket. These workers connect again after any code except 4001 and 4003. */
export const bareWorkerCodes: CloseCodes = { ...closeCodes, superseded: 4003, archived: 4001 };

/** A WebSocket as the sink of an event stream. */
export class LinkSink implements EventSink {
  readonly #link: ServerConnection;
  readonly #codes: CloseCodes;
  readonly #socket: Pick<SocketLike, 'bufferedAmount'>;
  #isGone = false;
  #onGone = () => {};

  constructor(link: ServerConnection, codes: CloseCodes, socket: Pick<SocketLike, 'bufferedAmount'>) {
    this.#link = link;
    this.#codes = codes;
    this.#socket = socket;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  onceGone(callback: () => void): void {
    this.#onGone = callback;
  }

  write(text: string): boolean {
    return this.#isGone || this.#link.write(text);
  }

  drained(): Promise<void> {
    return this.#link.drained();
  }

  end(reason: EndReason): void {
    if (this.#isGone) return;
    this.#link.close(this.#codes[reason]);
    this.leave();
  }

  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#onGone();
  }
}
