import type { FuzzServer } from '../server/start-server.ts';

/** Something that a peer may send much of. */
export interface Load {
  /** Tells it apart from all others, and is enough to make it again. */
  readonly name: string;
  /** The sizes that are tried lie between these: bytes, or how many of something. */
  readonly least: number;
  readonly most: number;
  /** Whether a size counts bytes. */
  readonly isBytes: boolean;
  /** Makes ready all that is not measured. */
  prepare(server: FuzzServer, size: number): Promise<Run>;
}

/** A load of one size that is ready to be sent. */
export interface Run {
  /** How many bytes it sends, about. */
  readonly bytes: number;
  /** What the server may keep in memory for each connection that it holds; 0 for a load that opens few. */
  readonly connections?: number;
  /** Sends it. Fulfils when the server has read it, or has refused. */
  send(signal: AbortSignal): Promise<void>;
  /** Closes what `send` has left open. */
  end(): void;
}

/** The largest body or frame that a server takes by default is 32 MiB; this leaves room for what stands around a value. */
export const MOST_BYTES = 32 * 1024 * 1024 - 4096;
