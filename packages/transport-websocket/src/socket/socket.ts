/** The part of a WebSocket that is used here; `WebSocket` of browsers, Bun, Deno, Node and of the package `ws` has it. */
export interface SocketLike {
  readonly readyState: number;
  /** The bytes that `send` has taken and that the network has not yet taken. */
  readonly bufferedAmount: number;
  /** The subprotocol that both sides agreed on, empty for none. */
  readonly protocol: string;
  binaryType: string;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void;
  /** Sends a ping. Some sockets cannot ping. If this method exists, `on` reports the answers as `pong`. */
  ping?(data?: string): void;
  /** Breaks the connection without a close frame. */
  terminate?(): void;
  /** Stops reading until `resume`. */
  pause?(): void;
  resume?(): void;
  /** Holds frames back until `uncork` writes them at once. Until then they count as buffered. */
  cork?(): void;
  uncork?(): void;
  /** Calls the listener for each frame; a long frame is passed as the bytes of its text. If absent, frames arrive by the event `message`. */
  onFrame?(listener: (frame: string | Uint8Array) => void): void;
  on?(event: string, listener: (...args: never[]) => void): unknown;
}

/** The members of a socket's events that are used here. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly error?: unknown;
}

/** The parameters with which a socket is opened. */
export interface SocketRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
}

/** Begins to open a socket, and returns it at once. */
export type OpenSocket = (request: SocketRequest) => SocketLike;

/** `readyState` of a socket that is open. */
export const OPEN = 1;

/** The most lines that are sent in one frame: servers limit them. */
export const FRAME_LINES = 1000;

/** The subprotocol in which every message has a number, and is kept until the other side has it. */
export const RESUMABLE_PROTOCOL = 'sjp.v1';

/** The query parameter of an upgrade in which a client of `sjp.v1` may repeat its greeting, as JSON. */
export const GREETING_PARAMETER = 'greeting';
