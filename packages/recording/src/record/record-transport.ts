import { type Batch, type Incoming, type Transport, type TransportClose, wrapTransport } from '@proto/core/transport';
import { type Direction, directionOf, type RecordingEntry, type Side } from '../recording.ts';
import { createEntryRedactor } from '../redaction/entry-redactor.ts';
import { createRedactor, type Redactor } from '../redaction/redactor.ts';

/** Where a recording is written, and how secrets are removed. */
export interface RecordOptions {
  /** Which side uses the transport. */
  readonly side: Side;
  /** Called with each line of the recording, including the final LF. If the function throws, the session continues and the error is reported as unhandled. */
  readonly write: (line: string) => void;
  /** The redactor that removes secrets. `false` keeps all secrets. Default `createRedactor()`. */
  readonly redactor?: Redactor | false;
}

/**
 * Wraps a transport and records all messages that pass through it. A sent message is recorded when `send` is called, and an arriving message when it
 * is read from `incoming`. The end of the peer's messages is recorded only if this side has read up to the end.
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
      // The last entry has been written by then.
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

  /** If this side stops reading, the recording lacks the peer's remaining messages and their end. */
  left(): void {
    this.#end(this.#own);
    this.#hasLeft = true;
  }

  /** Records each item when it is read. */
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
      // JSON cannot represent `undefined`.
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

/** Runs code that must not disturb the session: errors in this code are reported as unhandled errors. */
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
