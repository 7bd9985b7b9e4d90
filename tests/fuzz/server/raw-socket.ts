import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { frameOf, FrameReader, OPCODES } from './raw-frames.ts';

/** The options of a WebSocket. */
export interface SocketOptions {
  readonly token?: string | undefined;
  readonly protocol?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A handwritten WebSocket client, which can send bytes that no library sends. */
export interface RawSocket {
  /** The status of a refused upgrade; 101 for an accepted upgrade. */
  readonly status: number;
  /** The received messages. */
  readonly messages: readonly string[];
  /** The close code of the server, or 1006 if the connection ended without a close code. Undefined while the connection is open. */
  readonly code: number | undefined;
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;
  /** Writes bytes unchanged. Fulfils when there is room for more, or when the connection has ended. */
  write(bytes: Buffer): Promise<void>;
  /** Sends a text frame. */
  say(text: string): Promise<void>;
  /** Fulfils when the server has read everything that was written so far, or when the connection has ended. */
  proved(): Promise<void>;
  /** Cuts the connection. */
  cut(): void;
}

/** Opens a WebSocket. Never rejects. */
export function openSocket(url: string, { token, protocol, headers = {} }: SocketOptions = {}): Promise<RawSocket> {
  return new Promise((resolve) => {
    const asked = request(url.replace(/^ws/, 'http'), {
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        ...(protocol !== undefined && { 'sec-websocket-protocol': protocol }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    asked.once('upgrade', (_response, socket, head) => resolve(new OpenSocket(socket, head)));
    asked.once('response', (response) => {
      response.resume();
      resolve(refused(response.statusCode ?? 0));
    });
    asked.once('error', () => resolve(refused(0)));
    asked.end();
  });
}

function refused(status: number): RawSocket {
  const nothing = Promise.resolve();
  const silent = { write: () => nothing, say: () => nothing, proved: () => nothing, cut: () => {} };
  return { status, messages: [], code: 1006, closed: nothing, ...silent };
}

class OpenSocket implements RawSocket {
  readonly status = 101;
  readonly messages: string[] = [];
  readonly closed: Promise<void>;
  code: number | undefined;
  readonly #socket: Duplex;
  readonly #pongs = new Map<string, () => void>();
  #pings = 0;

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket;
    const reader = new FrameReader((opcode, payload) => this.#onFrame(opcode, payload));
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.code ??= 1006;
        for (const settle of this.#pongs.values()) settle();
        resolve();
      });
    });
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('end', () => socket.destroy());
    if (head.length > 0) reader.push(head);
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#socket.destroyed || this.#socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const settle = () => (this.#socket.off('drain', settle).off('close', settle), resolve());
      this.#socket.on('drain', settle).on('close', settle);
    });
  }

  say(text: string): Promise<void> {
    return this.write(frameOf(Buffer.from(text)));
  }

  async proved(): Promise<void> {
    if (this.#socket.destroyed) return;
    const name = `p${this.#pings++}`;
    const answered = new Promise<void>((resolve) => this.#pongs.set(name, resolve));
    await this.write(frameOf(Buffer.from(name), { opcode: OPCODES.ping }));
    await answered;
    this.#pongs.delete(name);
  }

  cut(): void {
    this.#socket.destroy();
  }

  #onFrame(opcode: number, payload: Buffer): void {
    if (opcode === OPCODES.text || opcode === OPCODES.binary) this.messages.push(payload.toString());
    else if (opcode === OPCODES.ping) void this.write(frameOf(payload, { opcode: OPCODES.pong }));
    else if (opcode === OPCODES.pong) this.#pongs.get(payload.toString())?.();
    else if (opcode === OPCODES.close) {
      this.code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      void this.write(frameOf(payload, { opcode: OPCODES.close }));
    }
  }
}
