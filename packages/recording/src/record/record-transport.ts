import { type Batch, type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { type Direction, directionOf, type RecordingEntry, type Side } from '../recording.ts';
import { createEntryRedactor } from '../redaction/entry-redactor.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';

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
 * arrives when it is taken. The peer's end is recorded only where this side read up to it, not where it closed the transport before.
 */
export function recordTransport(transport: Transport, options: RecordOptions): Transport {
  const tape = new Tape(options);
  const closed = transport.closed.then((close) => tape.closed(close));
  return wrapTransport(transport, {
    closed,
    incoming: { [Symbol.asyncIterator]: () => tape.read(transport.incoming[Symbol.asyncIterator]()) },
    send(batch, sendOptions) {
      tape.sent(batch);
      return transport.send(batch, sendOptions);
    },
    end() {
      tape.outputEnded();
      return transport.end();
    },
    async close() {
      tape.left();
      await transport.close();
      // Its entry is written by then.
      await closed;
    },
  });
}

/** What is written of one transport. */
class Tape {
  readonly #options: RecordOptions;
  readonly #add: (entry: RecordingEntry) => void;
  readonly #startedAt = performance.now();
  readonly #ended = new Set<Direction>();
  #hasLeft = false;

  constructor(options: RecordOptions) {
    const { side, redactor = createRedactor() } = options;
    this.#options = options;
    this.#add = redactor === false ? this.#write : createEntryRedactor(redactor, this.#write).add;
    beside(() => this.#write({ recording: 1, side, redacted: redactor !== false }));
  }

  sent(batch: Batch): void {
    for (const { text } of batch.messages()) this.#entry({ dir: this.#own, line: text });
  }

  outputEnded(): void {
    this.#end(this.#own);
  }

  /** This side reads no further: nobody knows what else the peer said, nor whether it ended. */
  left(): void {
    this.#end(this.#own);
    this.#hasLeft = true;
  }

  /** The items as they are, each noted when it is taken. */
  read(items: AsyncIterator<readonly Incoming[]>): AsyncIterator<readonly Incoming[]> {
    return {
      next: async () => {
        const next = await items.next();
        if (next.done !== true) for (const item of next.value) this.#arrived(item);
        else if (!this.#hasLeft) this.#end(this.#peers);
        return next;
      },
      return: async () => (await items.return?.()) ?? { done: true, value: undefined },
    };
  }

  closed(close: TransportClose): TransportClose {
    const { by, error, status } = close;
    this.#entry({ closed: by, ...(error && { error: error.code }), ...(status !== undefined && { status }) });
    return close;
  }

  get #own(): Direction {
    return directionOf(this.#options.side);
  }

  get #peers(): Direction {
    return directionOf(this.#options.side === 'host' ? 'agent' : 'host');
  }

  #arrived(item: Incoming): void {
    if (item.kind === 'message') return this.#entry({ dir: this.#peers, line: item.text });
    if (item.kind === 'malformed') {
      return this.#entry({ dir: this.#peers, lost: item.error.code, excerpt: item.excerpt });
    }
    if (item.kind === 'notice') {
      // JSON has no value for nothing.
      const { event: notice, data = null, cursor } = item;
      return this.#entry({ notice, data, ...(cursor !== undefined && { cursor }) });
    }
    const { state: link, attempt, resumed } = item;
    this.#entry({ link, attempt, ...(resumed !== undefined && { resumed }) });
  }

  #end(dir: Direction): void {
    if (this.#ended.has(dir)) return;
    this.#ended.add(dir);
    this.#entry({ dir, end: true });
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
