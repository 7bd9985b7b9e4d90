import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Tails } from '@proto/ingress/event-log';
import type pg from 'pg';
import { Connection } from './database.ts';
import type { PostgresReads } from './reads.ts';

/**
 * A hint is lost if its connection breaks, or if the node that should send it dies. Therefore every stream with a reader is also checked at this
 * interval.
 */
const LOOK_EVERY_MS = 1000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5000;
/** PostgreSQL accepts fewer than 8000 bytes in one notification. */
const MAX_HINT_BYTES = 7500;

/**
 * Notifies the readers of this node, and the other nodes, that streams have grown. Notifications are sent outside the statements that write, because
 * a notification inside such a statement would make all writers on the server wait for each other. Notifications are only hints, and the log is
 * authoritative.
 */
export class Notifications {
  readonly #reads: PostgresReads;
  readonly #pool: pg.Pool;
  readonly #channel: string;
  readonly #config: pg.ClientConfig;
  /** The streams with readers on this node, with the last known sequence number of each. */
  readonly #lasts = new Map<string, { last: number; readers: number }>();
  readonly #tails = new Tails((stream) => this.#lasts.get(stream)?.last ?? 0);
  readonly #closed = new AbortController();
  /** The streams that have grown, if the other nodes were not yet notified of this. */
  readonly #unsent = new Set<string>();
  #namedSinceLook = new Set<string>();
  #looking: Promise<void> | undefined;
  #sending: Promise<void> | undefined;
  #listening: Promise<void> | undefined;

  constructor(options: { reads: PostgresReads; pool: pg.Pool; schema: string; config: pg.ClientConfig }) {
    this.#reads = options.reads;
    this.#pool = options.pool;
    this.#config = options.config;
    // A channel name can have at most 63 bytes, and the schema name may already have that many.
    this.#channel = `sjp_${createHash('sha256').update(options.schema).digest('hex').slice(0, 32)}`;
  }

  /** Announces that a stream has grown by a commit of this node. */
  announce(stream: string, last: number): void {
    this.#learn(stream, last);
    this.#unsent.add(stream);
    this.#sending ??= this.#send();
  }

  async *tail(stream: string, after: number, signal: AbortSignal): AsyncGenerator<number, void> {
    const known = this.#lasts.get(stream) ?? { last: 0, readers: 0 };
    this.#lasts.set(stream, known);
    known.readers++;
    try {
      // A node starts to listen when it has its first reader.
      this.#listening ??= this.#listen();
      const lasts = await this.#reads.lastOf([stream]);
      this.#learn(stream, lasts.get(stream) ?? 0);
      yield* this.#tails.tail(stream, after, signal);
    } finally {
      if (--known.readers === 0) this.#lasts.delete(stream);
    }
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#tails.close();
    await this.#sending;
    await this.#listening;
    await this.#looking;
  }

  #learn(stream: string, last: number): void {
    const known = this.#lasts.get(stream);
    if (known === undefined || last <= known.last) return;
    known.last = last;
    this.#tails.wake(stream);
  }

  async #look(streams: Iterable<string> = this.#lasts.keys()): Promise<void> {
    const read = [...streams].filter((stream) => this.#lasts.has(stream));
    if (read.length === 0) return;
    for (const [stream, last] of await this.#reads.lastOf(read)) this.#learn(stream, last);
  }

  /** Sends one notification at a time. Streams that grow in the meantime are combined in the next notification. */
  async #send(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#unsent.size > 0) {
      const hint = this.#takeHint();
      await this.#pool.query('SELECT pg_notify($1, $2)', [this.#channel, hint]).catch(() => {});
    }
    this.#sending = undefined;
  }

  #takeHint(): string {
    const lines: string[] = [];
    let bytes = 0;
    for (const stream of this.#unsent) {
      const line = JSON.stringify(stream);
      const size = Buffer.byteLength(line) + 1;
      if (lines.length > 0 && bytes + size > MAX_HINT_BYTES) break;
      this.#unsent.delete(stream);
      // A stream whose name is too long is found by the regular check.
      if (size > MAX_HINT_BYTES) continue;
      lines.push(line);
      bytes += size;
    }
    return lines.join('\n');
  }

  /** Listens until `close`, over connections that may break. */
  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    let wait = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        await this.#listenOnce(() => (wait = FIRST_RETRY_MS));
      } catch {
        // The server is not answering at the moment.
      }
      if (!signal.aborted) await delay(wait, undefined, { signal }).catch(() => {});
      wait = Math.min(2 * wait, MAX_RETRY_MS);
    }
  }

  /** Listens over one connection, until it breaks, or until `close`. */
  async #listenOnce(onListening: () => void): Promise<void> {
    const { signal } = this.#closed;
    const client = new Connection(this.#config);
    const broken = new Promise<void>((resolve) => {
      client.once('end', resolve);
      client.on('error', () => resolve());
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await client.connect();
      client.on('notification', ({ payload = '' }) => this.#lookAt(payload));
      await client.query(`LISTEN ${this.#channel}`);
      onListening();
      await this.#lookUntil(broken);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async #lookUntil(broken: Promise<void>): Promise<void> {
    let isBroken = false;
    void broken.then(() => (isBroken = true));
    while (!isBroken) {
      await this.#look();
      const timer = new AbortController();
      await Promise.race([broken, delay(LOOK_EVERY_MS, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
    }
  }

  /**
   * Checks the streams that a notification names. Every role that may connect to the database can send a notification, so its text is not trusted: a
   * notification only causes a check of the log. Checks run one at a time, however many notifications arrive.
   */
  #lookAt(payload: string): void {
    for (const stream of streamsIn(payload)) if (this.#lasts.has(stream)) this.#namedSinceLook.add(stream);
    if (this.#namedSinceLook.size > 0) this.#looking ??= this.#lookAtNamed();
  }

  async #lookAtNamed(): Promise<void> {
    while (this.#namedSinceLook.size > 0) {
      const named = this.#namedSinceLook;
      this.#namedSinceLook = new Set();
      // The regular check finds the streams that are missed here.
      await this.#look(named).catch(() => {});
    }
    this.#looking = undefined;
  }
}

function streamsIn(payload: string): readonly string[] {
  return payload.split('\n').flatMap((line) => {
    try {
      const stream: unknown = JSON.parse(line);
      return typeof stream === 'string' ? [stream] : [];
    } catch {
      return [];
    }
  });
}
