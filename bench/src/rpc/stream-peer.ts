import type { Readable, Writable } from 'node:stream';

/** The side of a link that sends requests. */
export interface RpcClient {
  /** Sends one request. Rejects if the answer is not the expected one. */
  call(): Promise<void>;
  close(): unknown;
}

/** Both ends of a protocol library over two byte streams. */
export interface StreamPeer {
  /** Answers each request of the other end. */
  serve(input: Readable, output: Writable): unknown;
  connect(input: Readable, output: Writable): Promise<RpcClient>;
  /** Returns a function that sends one message. The caller awaits the returned promises, 50 at a time. */
  openSender(input: Readable, output: Writable): Promise<(message: object) => unknown>;
  /** Reads messages, and calls back with the number that arrived. */
  receive(input: Readable, output: Writable, onMessages: (count: number) => void): unknown;
}
