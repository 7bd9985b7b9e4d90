import type { FuzzServer } from '../server/start-server.ts';

/** A load: input that a peer may send in large amounts. */
export interface Load {
  /** The unique name, from which the load can be created again. */
  readonly name: string;
  /** The smallest and the largest size, in bytes or in a number of items. */
  readonly least: number;
  readonly most: number;
  /** Whether a size counts bytes. */
  readonly isBytes: boolean;
  /** Prepares everything that is not measured. */
  prepare(server: FuzzServer, size: number): Promise<Run>;
}

/** A load of one size that is ready to be sent. */
export interface Run {
  /** The approximate number of bytes that are sent. */
  readonly bytes: number;
  /** How many connections the load keeps open, each of which may use memory of the server; absent for a load that opens few. */
  readonly connections?: number;
  /** Sends the load. Fulfils when the server has read or refused it. */
  send(signal: AbortSignal): Promise<void>;
  /** Closes the connections that `send` has left open. */
  end(): void;
}

/** The largest body or frame that a server takes by default is 32 MiB; this leaves room for the text around a value. */
export const MOST_BYTES = 32 * 1024 * 1024 - 4096;
