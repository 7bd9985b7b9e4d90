/** The part of a WebSocket that is used here; `WebSocket` of browsers, Bun, Deno, Node and of the package `ws` has it. */
export interface SocketLike {
  readonly readyState: number;
  /** What `send` has taken and the network has not. */
  readonly bufferedAmount: number;
  /** The subprotocol that both sides agreed on, empty for none. */
  readonly protocol: string;
  binaryType: string;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void;
  /** Only some can ping; where this is, `on` tells the answers. */
  ping?(data?: string): void;
  /** Breaks the connection without a goodbye. */
  terminate?(): void;
  /** Stops reading, and `resume` goes on. */
  pause?(): void;
  resume?(): void;
  /** Keeps what is sent from the network, and `uncork` hands it over in one write; until then it counts as buffered. */
  cork?(): void;
  uncork?(): void;
  /** Tells each frame, long ones as the bytes of their text; where this is missing, the event `message` does. */
  onFrame?(listener: (frame: string | Uint8Array) => void): void;
  on?(event: string, listener: (...args: never[]) => void): unknown;
}

/** What the events of a socket hold, as far as it is used here. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly error?: unknown;
}

/** With what a socket is opened. */
export interface SocketRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
}

/** Begins to open a socket, and gives it at once. */
export type OpenSocket = (request: SocketRequest) => SocketLike;

/** `readyState` of a socket that is open. */
export const OPEN = 1;

/** How many lines are sent in one frame at most: servers limit them. */
export const FRAME_LINES = 1000;

/** The subprotocol of the resumable mode: every message has a number and is kept until the other side has it. */
export const RESUMABLE_PROTOCOL = 'sjp.v1';
