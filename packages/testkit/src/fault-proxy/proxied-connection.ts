import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { ByteQueue } from './byte-queue.ts';

/** One connection of a client, and the one to the server that belongs to it. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #gone = new AbortController();
  #faults: ProxyFaults = {};
  #audible = Promise.resolve();
  #hear: () => void = () => {};
  /** For good. */
  #stalled = false;
  #requestBytes = 0;
  #answerBytes = 0;
  /** Whether the client said something that the server has not answered yet. */
  #asked = true;
  #idle: NodeJS.Timeout | undefined;

  constructor(client: Socket, server: Socket, faults: ProxyFaults) {
    this.#client = client;
    this.#server = server;
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.once('close', () => this.#release());
    }
    this.misbehave(faults);
    void this.#pass(client, server, (piece) => this.#request(piece));
    void this.#pass(server, client, (piece) => this.#answer(piece));
  }

  misbehave(faults: ProxyFaults): void {
    this.#faults = faults;
    this.#requestBytes = this.#answerBytes = 0;
    this.#hear();
    this.#audible =
      faults.silent || this.#stalled ? new Promise((resolve) => (this.#hear = resolve)) : Promise.resolve();
    this.#watch();
  }

  cut(how: Cut, behindBytes = 0): void {
    if (behindBytes > 0) return this.misbehave({ ...this.#faults, cutAfterAnswerBytes: behindBytes, cut: how });
    if (how === 'stall') {
      this.#stalled = true;
      return this.misbehave(this.#faults);
    }
    if (how === 'rst') this.#client.resetAndDestroy();
    else this.#client.end(() => this.#client.destroy());
    this.#release();
  }

  /** Hands on what one side sends, and its end, for as long as both are there. */
  async #pass(from: Socket, to: Socket, handOn: (bytes: Buffer) => Promise<void>): Promise<void> {
    const queue = new ByteQueue(from);
    try {
      for (;;) {
        await queue.filled;
        await this.#audible;
        if (from === this.#server) await this.#waitForMore();
        const bytes = queue.take();
        if (bytes === undefined) break;
        await handOn(bytes);
      }
      to.end();
    } catch {
      // It was cut.
    }
  }

  async #waitForMore(): Promise<void> {
    const { signal } = this.#gone;
    const { headMs = 0, gatherMs = 0 } = this.#faults;
    if (this.#asked && headMs > 0) await delay(headMs, undefined, { signal });
    this.#asked = false;
    if (gatherMs > 0) await delay(gatherMs, undefined, { signal });
  }

  async #request(bytes: Buffer): Promise<void> {
    this.#asked = true;
    const { cutAfterRequestBytes: most = Infinity } = this.#faults;
    const rest = most - this.#requestBytes;
    this.#requestBytes += bytes.length;
    await this.#write(this.#server, bytes.subarray(0, rest));
    if (bytes.length >= rest) this.cut(this.#faults.cut ?? 'rst');
  }

  async #answer(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      await this.#audible;
      const {
        pieceBytes = bytes.length,
        pieceMs = 0,
        cutAfterAnswerBytes: most = Infinity,
        cut = 'rst',
      } = this.#faults;
      const rest = most - this.#answerBytes;
      const piece = bytes.subarray(at, at + Math.min(pieceBytes, rest));
      at += piece.length;
      this.#answerBytes += piece.length;
      await this.#write(this.#client, piece);
      // So that a reader in this process sees each piece. One that finds a reset together with data takes it for an end.
      const last = piece.length >= rest;
      for (let turns = 0; turns < 2 && (last || at < bytes.length); turns++) await turn();
      if (last) return this.cut(cut);
      if (pieceMs > 0) await delay(pieceMs, undefined, { signal: this.#gone.signal });
    }
  }

  async #write(to: Socket, bytes: Buffer): Promise<void> {
    this.#gone.signal.throwIfAborted();
    this.#watch();
    if (bytes.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      to.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Begins to wait for the idle time anew. */
  #watch(): void {
    clearTimeout(this.#idle);
    const { idleMs, cut = 'rst' } = this.#faults;
    if (idleMs !== undefined && !this.#gone.signal.aborted) this.#idle = setTimeout(() => this.cut(cut), idleMs);
  }

  #release(): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort();
    clearTimeout(this.#idle);
    this.#hear();
    this.#server.destroy();
    if (!this.#client.writableEnded) this.#client.destroy();
  }
}

/** How a connection breaks: it ends in order (`fin`), by a reset (`rst`), or nothing passes any more and nobody is told (`stall`). */
export type Cut = 'fin' | 'rst' | 'stall';

/** What a proxy does to connections. Nothing is said: every byte passes as it comes. */
export interface ProxyFaults {
  /** Connections are reset as soon as they come. Those that are open stay. */
  readonly refuses?: boolean;
  /** Nothing passes, in either direction, and connections stay open. */
  readonly silent?: boolean;
  /** Cuts a connection over which nothing has passed for so long, as proxies do. */
  readonly idleMs?: number;
  /** Holds the beginning of each answer back for so long: what the server sends behind something of the client. */
  readonly headMs?: number;
  /** Gathers what the server sends for so long, and passes it in one piece. */
  readonly gatherMs?: number;
  /** Passes what the server sends in pieces of so many bytes at most. */
  readonly pieceBytes?: number;
  /** Waits for so long behind each piece. */
  readonly pieceMs?: number;
  /** Cuts a connection behind so many bytes of the client; counted from when the proxy was told so. */
  readonly cutAfterRequestBytes?: number;
  /** Cuts a connection behind so many bytes of the server, counted alike; behind 0 the server has answered, and nobody hears it. */
  readonly cutAfterAnswerBytes?: number;
  /** How it cuts. Default `rst`. */
  readonly cut?: Cut;
}
