import type { Readable, Writable } from 'node:stream';
import { createLineDecoder, type LineDecoder, type LineDecoderOptions } from '@proto/core/framing';
import {
  type Batch,
  defineTransport,
  incomingLines,
  type TransportControl,
  type TransportDriver,
  TransportError,
  type TransportOptions,
  type WatchableTransport,
} from '@proto/core/transport';
import { nodeTextDecoder } from './node-text-decoder.ts';

/** The two streams of a stdio transport, and its limits. */
export interface StdioOptions extends Pick<TransportOptions, 'maxIncomingBytes'> {
  /** The stream that the peer writes to, such as stdin of this process or stdout of a child. Default `process.stdin`. */
  readonly input?: Readable;
  /** The stream that the peer reads, such as stdout of this process or stdin of a child. Default `process.stdout`. */
  readonly output?: Writable;
  /** The maximum length of a line that is read, in bytes. A longer line becomes a `malformed` item. Default 64 MiB. */
  readonly maxLineBytes?: number;
  /**
   * Splits the peer's output into the texts of items. Default: `createLineDecoder` of `@proto/core/framing`. Use `createMultilineDecoder` for a peer
   * whose messages span several lines, and `createRawDecoder` for a peer that does not write JSON. Sent messages are not affected.
   */
  readonly createDecoder?: (options: LineDecoderOptions) => Pick<LineDecoder, 'push' | 'end'>;
}

/**
 * Creates a transport over two byte streams. The transport owns both streams: `close` ends the output and destroys the input.
 *
 * @example
 * ```ts
 * import { createSession } from '@proto/core';
 * import { createStdioTransport } from '@proto/transport-stdio';
 *
 * // The agent's end: stdin and stdout of this process.
 * const session = createSession(createStdioTransport());
 * ```
 */
export function createStdioTransport(options: StdioOptions = {}): WatchableTransport {
  return defineTransport('stdio', (control) => new StdioDriver(control, options), options);
}

/** `ProcessDriver` uses this driver for the child's pipes. */
export class StdioDriver implements TransportDriver {
  readonly #control: TransportControl;
  readonly #input: Readable;
  readonly #output: Writable;
  #ending: Promise<void> | undefined;
  #settleEnd: () => void = () => {};
  #broken: TransportError | undefined;

  constructor(control: TransportControl, options: StdioOptions) {
    const { input = process.stdin, output = process.stdout, maxLineBytes, createDecoder = createLineDecoder } = options;
    this.#control = control;
    this.#input = input;
    this.#output = output;
    const decoder = createDecoder({
      decode: nodeTextDecoder(),
      ...(maxLineBytes !== undefined && { maxLineBytes }),
    });
    input.on('data', (chunk: Uint8Array | string) => control.receive(incomingLines(decoder.push(chunk))));
    input.on('end', () => {
      control.receive(incomingLines(decoder.end()));
      control.ended();
    });
    input.on('error', (error) => control.closed(lost('reading failed', error)));
    input.on('close', () => {
      if (!input.readableEnded) control.closed(lost('the input closed before it ended'));
    });
    // Added before the first write, because without a listener a broken pipe would end the process.
    output.on('error', (error) => this.#breaks(error));
    control.opened();
    // A stream that has already ended emits no event. A paused stream, such as stdin after `readline` was closed, would never start.
    if (input.readableEnded) control.ended();
    else if (input.destroyed) control.closed(lost('the input closed before it ended'));
    else input.resume();
  }

  /** Stays pending while the stream is above its high-water mark. */
  write({ text }: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      // Waits for the callback, because `drain` is not emitted if the reader dies.
      if (this.#write(text, resolve, reject)) resolve();
    });
  }

  flush(): Promise<void> {
    // The callback of an empty write is called after the callbacks of all earlier writes.
    return new Promise((resolve, reject) => void this.#write('', resolve, reject));
  }

  end(): Promise<void> {
    // Called once, because a second `end` of `process.stdout` never calls its callback.
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
      // Node reports success for a write that was in progress when the stream was destroyed, for example when a child exits.
      else if (this.#output.destroyed && !this.#output.writableFinished)
        reject(this.#breaks(new Error('the output was destroyed')));
      else resolve();
    });
  }

  /** Called when the output breaks. Settles a pending `end`, which would otherwise wait forever. The error is reported by `closed`. */
  #breaks(error: Error): TransportError {
    this.#broken ??= lost('writing failed', error);
    this.#settleEnd();
    return this.#broken;
  }

  #release(): void {
    this.#input.destroy();
    this.#control.closed(this.#broken);
  }
}

function lost(what: string, cause?: Error): TransportError {
  return new TransportError('lost', `stdio: ${what}`, cause && { cause });
}
