import type { LogLink, ReceivedLine } from '@proto/transport-websocket';
import { EventLogError } from '../log/event-log-error.ts';

/** What may wait to be stored, in UTF-16 units, before the socket is not read for a while. */
const MAX_WAITING = 1024 * 1024;
/** What a line costs beside its text, in the same: there may be very many that say next to nothing. */
const LINE_COST = 64;
/** Lines stored at once. */
const MAX_LINES = 1000;
const [FAILED, FULL] = [1011, 1013];

/** What comes over one link, stored in order, one write at a time; acknowledged when it is kept. */
export class Inbox {
  readonly #link: LogLink;
  readonly #store: (lines: readonly ReceivedLine[]) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #waiting: ReceivedLine[] = [];
  #size = 0;
  #isStoring = false;

  constructor(
    link: LogLink,
    store: (lines: readonly ReceivedLine[]) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#link = link;
    this.#store = store;
    this.#onError = onError;
  }

  push(lines: readonly ReceivedLine[]): void {
    for (const line of lines) {
      this.#waiting.push(line);
      this.#size += costOf(line);
    }
    if (this.#size > MAX_WAITING) this.#link.pause();
    if (!this.#isStoring) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isStoring = true;
    try {
      while (this.#waiting.length > 0 && !this.#link.isEnded) {
        const lines = this.#waiting.splice(0, MAX_LINES);
        await this.#store(lines);
        const last = lines.at(-1)?.id;
        if (last !== undefined) this.#link.acknowledge(last);
        const was = this.#size;
        for (const line of lines) this.#size -= costOf(line);
        if (was > MAX_WAITING && this.#size <= MAX_WAITING) this.#link.resume();
      }
    } catch (error) {
      // Nothing of these lines is kept: who can, sends them again.
      this.#onError(error);
      this.#link.close(EventLogError.is(error) && error.code === 'full' ? FULL : FAILED);
      this.#waiting = [];
    } finally {
      this.#isStoring = false;
    }
  }
}

function costOf({ text = '' }: ReceivedLine): number {
  return LINE_COST + text.length;
}
