import type { Batch, Incoming, SendOptions, Transport, TransportClose, TransportError } from '@proto/core/transport';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';
import { createEntryRedactor } from './entry-redactor.ts';
import { directionOf, type Direction, type RecordingEntry, type Side } from './recording.ts';

/** Where a recording goes, and what is left out of it. */
export interface RecordOptions {
  /** Which side uses the transport. */
  readonly side: Side;
  /** Is given each line of the recording, its line end included. What it throws is thrown beside the session, which goes on. */
  readonly write: (line: string) => void;
  /** Takes secrets out. Default `createRedactor()`; `false` leaves them in. */
  readonly redactor?: Redactor | false;
}

/**
 * A transport that is used as the one it is made around, and records what goes through it: what is sent when it is handed over, what
 * arrives when it is taken.
 */
export function recordTransport(transport: Transport, options: RecordOptions): Transport {
  return new RecordedTransport(transport, options);
}

class RecordedTransport implements Transport {
  readonly name: string;
  readonly identifies: boolean;
  readonly opened: Promise<void>;
  readonly closed: Promise<TransportClose>;
  readonly incoming: AsyncIterable<readonly Incoming[]>;
  readonly #transport: Transport;
  readonly #options: RecordOptions;
  readonly #add: (entry: RecordingEntry) => void;
  readonly #startedAt = performance.now();
  readonly #ended = new Set<Direction>();

  constructor(transport: Transport, options: RecordOptions) {
    const { side, redactor = createRedactor() } = options;
    this.name = transport.name;
    this.identifies = transport.identifies;
    this.opened = transport.opened;
    this.#transport = transport;
    this.#options = options;
    this.#add = redactor === false ? this.#write : createEntryRedactor(redactor, this.#write).add;
    beside(() => this.#write({ recording: 1, side, redacted: redactor !== false }));
    this.closed = transport.closed.then((close) => this.#onClosed(close));
    this.incoming = { [Symbol.asyncIterator]: () => this.#read(transport.incoming[Symbol.asyncIterator]()) };
  }

  get resumption() {
    return this.#transport.resumption;
  }

  get worker() {
    return this.#transport.worker;
  }

  get liveness() {
    return this.#transport.liveness;
  }

  send(batch: Batch, options?: SendOptions): Promise<void> {
    for (const { text } of batch.messages()) this.#entry({ dir: this.#own, line: text });
    return this.#transport.send(batch, options);
  }

  flush(options?: SendOptions): Promise<void> {
    return this.#transport.flush(options);
  }

  end(): Promise<void> {
    this.#end(this.#own);
    return this.#transport.end();
  }

  close(): Promise<void> {
    this.#end(this.#own);
    // Settles with `closed`, and that when its entry is written.
    return this.#transport.close().then(() => this.closed.then(() => {}));
  }

  abort(reason?: unknown): void {
    this.#transport.abort(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #own(): Direction {
    return directionOf(this.#options.side);
  }

  get #peers(): Direction {
    return directionOf(this.#options.side === 'host' ? 'agent' : 'host');
  }

  #read(items: AsyncIterator<readonly Incoming[]>): AsyncIterator<readonly Incoming[]> {
    return {
      next: async () => {
        const next = await items.next();
        if (next.done === true) this.#end(this.#peers);
        else for (const item of next.value) this.#arrived(item);
        return next;
      },
      return: async () => (await items.return?.()) ?? { done: true, value: undefined },
    };
  }

  #arrived(item: Incoming): void {
    if (item.kind === 'message') return this.#entry({ dir: this.#peers, line: item.text });
    if (item.kind === 'malformed') {
      return this.#entry({ dir: this.#peers, lost: item.error.code, excerpt: item.excerpt });
    }
    const { state: link, attempt, resumed } = item;
    this.#entry({ link, attempt, ...(resumed !== undefined && { resumed }) });
  }

  #end(dir: Direction): void {
    if (this.#ended.has(dir)) return;
    this.#ended.add(dir);
    this.#entry({ dir, end: true });
  }

  #onClosed(close: TransportClose): TransportClose {
    const { by, error, status } = close as { by: TransportClose['by']; error?: TransportError; status?: number };
    this.#entry({ closed: by, ...(error && { error: error.code }), ...(status !== undefined && { status }) });
    return close;
  }

  #entry(entry: WithoutTime<RecordingEntry>): void {
    const t = Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
    beside(() => this.#add({ t, ...entry }));
  }

  readonly #write = (line: object): void => this.#options.write(`${JSON.stringify(line)}\n`);
}

/** Does what is no business of the session: what is thrown there does not touch it. */
function beside(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

type WithoutTime<Entry> = Entry extends unknown ? Omit<Entry, 't'> : never;
