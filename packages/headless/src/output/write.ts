import { Writable } from 'node:stream';

/** Fulfils when the string has left this process, or when the reader has disconnected. */
export function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (text === '') resolve();
    else stream.write(text, () => resolve());
  });
}

/** Fulfils when everything written so far has left this process, or when the reader has disconnected. */
export function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}

/** The state of an output stream. */
export interface OutputWatch {
  /** Undefined while the stream works. */
  readonly broken: Error | undefined;
  /** True if the reader of the stream has disconnected, which is not an error. */
  readonly isUnread: boolean;
  /** Call this method if you receive the error before the `error` event. */
  breaks(error: Error | null | undefined): void;
}

/** Without a listener, an error would be an uncaught exception and end the process. */
export function watchOutput(stream: Writable): OutputWatch {
  // `process.stdout.errored` is reset to null after an error, so it cannot be used here.
  let broken: NodeJS.ErrnoException | undefined;
  const breaks = (error: Error | null | undefined) => void (broken ??= error ?? undefined);
  stream.on('error', breaks);
  return {
    breaks,
    get broken() {
      return broken;
    },
    get isUnread() {
      return broken?.code === 'EPIPE';
    },
  };
}

/**
 * Writes to a stream until its reader disconnects, and then drops everything that is written. This lets an agent whose host has disconnected finish
 * its turn and save the conversation, like published agents. Any other error is passed on.
 */
export function ignoreBrokenPipe(stream: Writable, watch: OutputWatch): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, encoding, done) {
      if (watch.isUnread) return done();
      stream.write(chunk, encoding, (error) => {
        watch.breaks(error);
        done(watch.isUnread ? null : error);
      });
    },
    final(done) {
      if (watch.broken !== undefined || stream.destroyed) return done();
      // If stdout breaks in the meantime, the callback of `end` is never called.
      let settle = () => {
        settle = () => {};
        done();
      };
      stream.once('error', () => settle()).end(() => settle());
    },
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
}
