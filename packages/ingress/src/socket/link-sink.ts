import type { LogLink } from '@proto/transport-websocket';
import type { EndReason, EventSink } from '../stream/event-sink.ts';

/** With what code a link ends, by the reason. */
export type CloseCodes = Readonly<Record<EndReason, number>>;

/** What any client makes the right thing of: the end where there is one, another attempt, or none. */
export const closeCodes: CloseCodes = {
  superseded: 4090,
  archived: 1000,
  revoked: 4003,
  unavailable: 1013,
  draining: 1012,
  stalled: 1013,
  failed: 1011,
};

/** A published worker comes back after any code but these. */
export const bareWorkerCodes: CloseCodes = { ...closeCodes, superseded: 4003, archived: 4001 };

/** A WebSocket as the place a stream goes to. */
export class LinkSink implements EventSink {
  readonly #link: LogLink;
  readonly #codes: CloseCodes;
  #isGone = false;
  #onGone = () => {};

  constructor(link: LogLink, codes: CloseCodes) {
    this.#link = link;
    this.#codes = codes;
  }

  get isGone(): boolean {
    return this.#isGone;
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

  /** The link has ended. */
  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#onGone();
  }
}
