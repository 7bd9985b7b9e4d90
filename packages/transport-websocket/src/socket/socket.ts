/** The members of a WebSocket that a transport uses. The `WebSocket` of browsers, workerd, Bun, Deno, Node and the `ws` package has all required members. */
export interface SocketLike {
  /** The state of the socket: 0 while connecting, 1 if open, 2 while closing, 3 if closed. */
  readonly readyState: number;
  /** The number of bytes that were passed to `send` but have not yet been sent to the network. */
  readonly bufferedAmount: number;
  /** The subprotocol that both sides agreed on. Empty if they did not agree on a subprotocol. */
  readonly protocol: string;
  /** The type in which binary frames are delivered. A transport sets this to `arraybuffer`. */
  binaryType: string;
  /** Sends a text frame. */
  send(text: string): void;
  /** Closes the connection with a code and a reason. */
  close(code?: number, reason?: string): void;
  /** Adds a listener for an event of the socket. */
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void;
  /** Sends a ping. Some sockets cannot ping. If this method exists, `on` reports the answers as `pong`. */
  ping?(data?: string): void;
  /** Breaks the connection without a close frame. */
  terminate?(): void;
  /** Stops reading until `resume`. */
  pause?(): void;
  /** Resumes reading after `pause`. */
  resume?(): void;
  /** Holds back frames until `uncork` writes all of them at once. Held frames count as buffered. */
  cork?(): void;
  /** Writes the frames that were held back since `cork`. */
  uncork?(): void;
  /**
   * Calls the listener for each frame. A long frame is passed as the bytes of its text. If this method is absent, frames are delivered by the event
   * `message`.
   */
  onFrame?(listener: (frame: string | Uint8Array) => void): void;
  /** Adds a listener for events that only sockets of the `ws` package have: `ping`, `pong`, `unexpected-response`. */
  on?(event: string, listener: (...args: never[]) => void): unknown;
}

/** The members of socket events that are used here. */
export interface SocketEvent {
  /** The name of the event. */
  readonly type: string;
  /** In a `message` event, the frame as text or bytes. */
  readonly data?: unknown;
  /** In a `close` event, the close code. */
  readonly code?: number;
  /** In a `close` event, the reason from the close frame. */
  readonly reason?: string;
  /** In an `error` event, the error. Absent on platforms that do not report errors. */
  readonly error?: unknown;
}

/** The parameters for opening a socket. */
export interface SocketRequest {
  /** The address, `ws:` or `wss:`. */
  readonly url: string;
  /** The headers of the upgrade request by name, such as `Authorization`. May be empty. */
  readonly headers: Readonly<Record<string, string>>;
  /** The subprotocols to offer, in order of preference. May be empty. */
  readonly protocols: readonly string[];
}

/** Begins to open a socket, and returns the socket at once. */
export type OpenSocket = (request: SocketRequest) => SocketLike;

export const OPEN = 1;

/** Servers limit the number of lines in one frame. */
export const FRAME_LINES = 1000;

/** The subprotocol in which every message has a number, and is kept until the other side has received it. */
export const RESUMABLE_PROTOCOL = 'sjp.v1';

/** The query parameter of the upgrade request in which a client of `sjp.v1` may repeat its greeting, as JSON. */
export const GREETING_PARAMETER = 'greeting';
