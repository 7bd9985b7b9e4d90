import { type Batch, type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { type Direction, directionOf, type RecordingEntry, type Side } from '../recording.ts';
import { createEntryRedactor } from '../redaction/entry-redactor.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';

/** Where a recording is written, and how secrets are removed. */
export interface RecordOptions {
  /** Which side uses the transport. */
  readonly side: Side;
  /** Called with each line of the recording, which ends with LF. If the function throws, the session goes on and the error is unhandled. */
  readonly write: (line: string) => void;
  /** Removes secrets. Default `createRedactor()`; `false` keeps them. */
  readonly redactor?: Redactor | false;
}

/**
 * Wraps a transport and records what passes through it: a sent message at the call of `send`, an arriving message when the reader takes it.
 * The end of the peer is recorded only if this side has read up to the end.
 *
 * @example
 * ```ts
 * import { appendFileSync } from 'node:fs';
 * import { createHostSession } from '@proto/host';
 * import { recordTransport } from '@proto/recording';
 * import { spawnAgent } from '@proto/transport-stdio';
 *
 * const agent = spawnAgent({ command: 'claude' });
 * const transport = recordTransport(agent, { side: 'host', write: (line) => appendFileSync('session.ndjson', line) });
 * const session = createHostSession(transport);
 * ```
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
      // By then the last entry is written.
      await closed;
    },
  });
}

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
    runIsolated(() => this.#write({ recording: 1, side, redacted: redactor !== false }));
  }

  sent(batch: Batch): void {
    for (const { text } of batch.messages()) this.#entry({ dir: this.#own, line: text });
  }

  outputEnded(): void {
    this.#end(this.#own);
  }

  /** This side stops reading, so the recording has neither the rest of what the peer sent nor the end of the peer. */
  left(): void {
    this.#end(this.#own);
    this.#hasLeft = true;
  }

  /** Passes the items on, and records each when the reader takes it. */
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
      // JSON cannot hold `undefined`.
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
    runIsolated(() => this.#add({ t, ...entry }));
  }

  readonly #write = (line: object): void => this.#options.write(`${JSON.stringify(line)}\n`);
}

/** Runs code that must not disturb the session: an error in this code becomes an unhandled error. */
function runIsolated(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

type WithoutTime<Entry> = Entry extends unknown ? Omit<Entry, 't'> : never;
