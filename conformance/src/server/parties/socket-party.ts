import { parseJson } from '@proto/core/framing';
import { Inbox, isObject } from '@proto/testkit/steps';
import type { WebSocket } from 'ws';

import type { SocketReading } from '../observed.ts';
import type { Closing, LinkParty } from './link-party.ts';

export interface SocketPartyOptions {
  readonly name: string;
  readonly reading: SocketReading;
  readonly socket: WebSocket;
  readonly now: () => number;
  readonly reportsPings: boolean;
  /** Whether each ping of the server waits until a step answers it. */
  readonly holdsPongs: boolean;
}

/** How long a server may take to answer a close frame. */
const CLOSE_MS = 1000;

/**
 * Reads a WebSocket line by line. Each item in its inbox has a member `frame` that describes the line. Its `kind` is `line` for a plain line. For
 * `sjp.v1`, it is `greeting`, `message`, `news`, `ack` or `end`. If the line contains a message of the session, the item also has its members.
 */
export class SocketParty implements LinkParty {
  readonly name: string;
  readonly inbox = new Inbox();
  readonly reading: SocketReading;
  readonly closed: Promise<Closing>;
  cursor: number;
  readonly #socket: WebSocket;
  readonly #now: () => number;
  #rest = '';
  #isGreeted = false;
  #pings = 0;
  readonly #held: Buffer[] = [];

  constructor({ name, reading, socket, now, reportsPings, holdsPongs }: SocketPartyOptions) {
    this.name = name;
    this.reading = reading;
    this.cursor = reading.from;
    this.#socket = socket;
    this.#now = now;
    socket.on('message', (data: Buffer, isBinary) => this.#take(data.toString(), isBinary));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('WS_ERR_')) reading.unreadable = error.message;
    });
    if (holdsPongs) socket.on('ping', (data) => this.#held.push(data));
    if (reportsPings)
      socket.on('ping', () => this.inbox.add({ value: { frame: { kind: 'ping' } }, text: '', at: now() }));
    this.closed = new Promise((resolve) => {
      socket.once('close', (code) => {
        reading.closed = performance.now();
        this.inbox.end(`the WebSocket of "${name}" was closed with ${code}`);
        resolve({ code, clean: code !== 1006 });
      });
    });
  }

  get session(): string {
    return this.reading.session;
  }

  /** Resolves even if the socket is broken. */
  sendText(text: string): Promise<void> {
    this.reading.sent.push(text);
    this.reading.receivedBefore.push(this.reading.frames.length);
    // A socket that the server has broken accepts nothing. Later steps show this, and how the socket was closed.
    return new Promise((resolve) => this.#socket.send(text, { binary: false }, () => resolve()));
  }

  send(message: unknown): Promise<void> {
    return this.sendText(`${JSON.stringify(message)}\n`);
  }

  /** Sends a close frame. If the server does not answer it, or if this party does not read, the connection is cut. */
  close(): void {
    if (this.#socket.isPaused) return this.#socket.terminate();
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves when the pong with the data of this ping arrives. */
  ping(): Promise<void> {
    this.#pings += 1;
    const sent = `ping ${this.#pings}`;
    const pong = new Promise<void>((resolve) => {
      const onPong = (data: Buffer) => {
        if (data.toString() !== sent) return;
        this.#socket.off('pong', onPong);
        resolve();
      };
      this.#socket.on('pong', onPong);
    });
    this.#socket.ping(sent);
    return pong;
  }

  pong(): void {
    const data = this.#held.shift();
    // A server does not have to send pings.
    if (data !== undefined) this.#socket.pong(data);
  }

  #take(text: string, isBinary: boolean): void {
    this.reading.frames.push({ text, isBinary, at: performance.now() });
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.inbox.add({ value: this.#valueOf(line), text: line, at: this.#now() });
  }

  #valueOf(line: string): unknown {
    const value = jsonOf(line);
    if (!isObject(value)) return { frame: { kind: 'garbage', text: line } };
    if (!this.reading.isNumbered) return { ...value, frame: { kind: 'line', message: value } };
    const { id, source, event, data, ...others } = value;
    if (typeof id === 'number') this.cursor = Math.max(this.cursor, id);
    if (event !== undefined) return { frame: { kind: 'news', id, event, data } };
    if (data !== undefined)
      return { ...(isObject(data) && data), frame: { kind: 'message', id, source, message: data } };
    const isGreeting = !this.#isGreeted;
    this.#isGreeted = true;
    return { frame: { kind: isGreeting ? 'greeting' : 'end' in others ? 'end' : 'ack', ...others } };
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
