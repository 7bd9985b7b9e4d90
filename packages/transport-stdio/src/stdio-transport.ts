import type { Readable, Writable } from 'node:stream';
import { createLineDecoder, type LineDecoder, type LineDecoderOptions } from '@proto/core/framing';
import type { WatchableTransport } from '@proto/core/internal';
import {
  type Batch,
  defineTransport,
  incomingLines,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type TransportOptions,
} from '@proto/core/transport';
import { nodeTextDecoder } from './node-text-decoder.ts';

/** The two streams of a stdio transport, and its limits. */
export interface StdioOptions extends Pick<TransportOptions, 'maxIncomingBytes'> {
  /** What the peer writes: this process's stdin, or the stdout of a child. Default `process.stdin`. */
  readonly input?: Readable;
  /** What the peer reads: this process's stdout, or the stdin of a child. Default `process.stdout`. */
  readonly output?: Writable;
  /** The longest line taken, in bytes. Default `DEFAULT_MAX_LINE_BYTES` of `@proto/core/framing`. */
  readonly maxLineBytes?: number;
  /**
   * Cuts what the peer writes into the texts of items. Default: `createLineDecoder` of `@proto/core/framing`. For peers that do not
   * write one message a line: `createSpeculativeDecoder`, `createPieceDecoder`. What is sent is written as it is.
   */
  readonly createDecoder?: (options: LineDecoderOptions) => Pick<LineDecoder, 'push' | 'end'>;
}

/** The protocol over two byte streams. It owns both: closing ends the output and destroys the input. */
export function createStdioTransport(options: StdioOptions = {}): WatchableTransport {
  return defineTransport('stdio', (control) => new StdioDriver(control, options), options);
}

/** What a stdio transport is made of; also one half of a child process. */
export class StdioDriver implements TransportDriver {
  readonly #control: TransportControl;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #decoder: Pick<LineDecoder, 'push' | 'end'>;
  #ending: Promise<void> | undefined;
  #settleEnd: () => void = () => {};
  #broken: TransportError | undefined;

  constructor(control: TransportControl, options: StdioOptions) {
    const { input = process.stdin, output = process.stdout, maxLineBytes, createDecoder = createLineDecoder } = options;
    this.#control = control;
    this.#input = input;
    this.#output = output;
    this.#decoder = createDecoder({
      decode: nodeTextDecoder(),
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
    input.on('data', (chunk: Uint8Array | string) => control.receive(incomingLines(this.#decoder.push(chunk))));
    input.on('end', () => this.#ended());
    input.on('error', (error) => control.closed(lost('reading failed', error)));
    input.on('close', () => {
      if (!input.readableEnded) control.closed(lost('the input closed before its end'));
    });
    // Before the first write: without a listener a broken pipe ends the process.
    output.on('error', (error) => this.#breaks(error));
    control.opened();
    // Of one that is over already no event tells; one that was paused, as a closed `readline` leaves stdin, would never begin.
    if (input.readableEnded) control.ended();
    else if (input.destroyed) control.closed(lost('the input closed before its end'));
    else input.resume();
  }

  /** One write for the whole batch; pending while the stream is above its high-water mark. */
  write({ text }: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      // By the callback, not by `drain`, which never comes when the reader dies.
      if (this.#write(text, resolve, reject)) resolve();
    });
  }

  flush(): Promise<void> {
    // Its callback comes behind those of all earlier writes.
    return new Promise((resolve, reject) => void this.#write('', resolve, reject));
  }

  end(): Promise<void> {
    // Once: a second `end` of a process's stdout never calls back.
    this.#ending ??= new Promise((resolve) => {
      this.#settleEnd = resolve;
      if (this.#broken === undefined && !this.#output.destroyed) this.#output.end(resolve);
      else resolve();
    });
    return this.#ending;
  }

  async close(): Promise<void> {
    await this.end();
    this.#release();
  }

  abort(): void {
    this.#output.destroy();
    this.#release();
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    this.#input.resume();
  }

  #write(text: string, resolve: () => void, reject: (error: TransportError) => void): boolean {
    return this.#output.write(text, (error) => {
      if (error) reject(this.#breaks(error));
      else resolve();
    });
  }

  /** Nothing more leaves: an end that waits for it would wait for ever. What broke it is told at the close. */
  #breaks(error: Error): TransportError {
    this.#broken ??= lost('writing failed', error);
    this.#settleEnd();
    return this.#broken;
  }

  #ended(): void {
    this.#control.receive(incomingLines(this.#decoder.end()));
    this.#control.ended();
  }

  #release(): void {
    this.#input.destroy();
    this.#control.closed(this.#broken);
  }
}

function lost(what: string, cause?: Error): TransportError {
  return new TransportError('lost', `stdio: ${what}`, cause && { cause });
}
