import type { Readable, Writable } from 'node:stream';

/** The asking side of a link. */
export interface RpcClient {
  /** Asks once; rejects on an answer that is not the one expected. */
  call(): Promise<void>;
  close(): unknown;
}

/** A protocol library over two byte streams, both ends. */
export interface StreamPeer {
  /** Answers each request of the other end. */
  serve(input: Readable, output: Writable): unknown;
  connect(input: Readable, output: Writable): Promise<RpcClient>;
  /** Gives what sends one message; what that returns is waited for, 50 at a time. */
  openSender(input: Readable, output: Writable): Promise<(message: object) => unknown>;
  /** Reads messages and calls back with how many came. */
  receive(input: Readable, output: Writable, onMessages: (count: number) => void): unknown;
}
