import type { Readable, Writable } from 'node:stream';
import type { Signal, SignalSource } from '../signals.ts';

/** The process a shim runs in. */
export interface ShimProcess extends SignalSource<Signal> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}
