import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { setTimer, sleep, type Timer } from '@proto/core/network';
import { ByteQueue } from './byte-queue.ts';
import { resetSocket } from './reset-socket.ts';

export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #gone = new AbortController();
  #faults: ProxyFaults = {};
  #unblocked = Promise.resolve();
  #unblock: () => void = () => {};
  /** Whether the connection has permanently stopped passing data. */
  #stalled = false;
  #requestBytes = 0;
  #answerBytes = 0;
  /** Whether the client has sent something since the server's last bytes. */
  #asked = true;
  #idle: Timer | undefined;

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
    this.#unblock();
    this.#unblocked =
      faults.silent || this.#stalled ? new Promise((resolve) => (this.#unblock = resolve)) : Promise.resolve();
    this.#watch();
  }

  cut(how: Cut, afterBytes = 0): void {
    if (afterBytes > 0) return this.misbehave({ ...this.#faults, cutAfterAnswerBytes: afterBytes, cut: how });
    if (how === 'stall') {
      this.#stalled = true;
      return this.misbehave(this.#faults);
    }
    if (how === 'rst') resetSocket(this.#client);
    else this.#client.end(() => this.#client.destroy());
    this.#release();
  }

  async #pass(from: Socket, to: Socket, handOn: (bytes: Buffer) => Promise<void>): Promise<void> {
    const queue = new ByteQueue(from);
    try {
      for (;;) {
        await queue.filled;
        await this.#unblocked;
        if (from === this.#server) await this.#waitForMore();
        const bytes = queue.take();
        if (bytes === undefined) break;
        await handOn(bytes);
      }
      to.end();
    } catch {
      // The connection was cut.
    }
  }

  async #waitForMore(): Promise<void> {
    const { signal } = this.#gone;
    const { headMs = 0, gatherMs = 0 } = this.#faults;
    if (this.#asked && headMs > 0) await sleep({ ms: headMs, signal });
    this.#asked = false;
    if (gatherMs > 0) await sleep({ ms: gatherMs, signal });
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
      await this.#unblocked;
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
      // Allows a reader in this process to read each piece. If a reset arrives together with data, a reader reports an end instead of a reset.
      const last = piece.length >= rest;
      for (let turns = 0; turns < 2 && (last || at < bytes.length); turns++) await turn();
      if (last) return this.cut(cut);
      if (pieceMs > 0) await sleep({ ms: pieceMs, signal: this.#gone.signal });
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

  #watch(): void {
    this.#idle?.clear();
    const { idleMs, cut = 'rst' } = this.#faults;
    if (idleMs !== undefined && !this.#gone.signal.aborted) this.#idle = setTimer(() => this.cut(cut), idleMs);
  }

  #release(): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort();
    this.#idle?.clear();
    this.#unblock();
    this.#server.destroy();
    if (!this.#client.writableEnded) this.#client.destroy();
  }
}

/** How a connection breaks: by an orderly end (`fin`), by a reset (`rst`), or by silently passing nothing more (`stall`). */
export type Cut = 'fin' | 'rst' | 'stall';

/** The faults of a proxy. Without faults, every byte is passed on immediately. Times are in milliseconds. */
export interface ProxyFaults {
  /** Resets new connections immediately. Open connections are not affected. */
  readonly refuses?: boolean;
  /** Passes no bytes in either direction, and keeps connections open. */
  readonly silent?: boolean;
  /** Cuts a connection after it has been idle for this long, as proxies do. */
  readonly idleMs?: number;
  /** Delays the beginning of each answer: the first bytes from the server after bytes from the client. */
  readonly headMs?: number;
  /** Collects bytes from the server for this long, and passes them on in one piece. */
  readonly gatherMs?: number;
  /** Passes on the server's bytes in pieces of at most this many bytes. */
  readonly pieceBytes?: number;
  /** Waits this long after each piece. */
  readonly pieceMs?: number;
  /** Cuts a connection after this many bytes from the client, counted from the call that set this fault. */
  readonly cutAfterRequestBytes?: number;
  /** Cuts a connection after this many bytes from the server, counted from the call that set this fault. With 0, the whole answer is lost. */
  readonly cutAfterAnswerBytes?: number;
  /** How connections are cut. Default `rst`. */
  readonly cut?: Cut;
}
