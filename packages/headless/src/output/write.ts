import { Writable } from 'node:stream';

/** Writes a text; fulfils when it has left this process, or when nobody reads it any more. */
export function written(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (text === '') resolve();
    else stream.write(text, () => resolve());
  });
}

/** Fulfils when all that was written before has left this process, or when nobody reads it any more. */
export function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}

/** What became of a stream that is written to. */
export interface OutputWatch {
  /** What broke it. */
  readonly broken: Error | undefined;
  /** Whether its reader has left: who reads no more has seen enough, which is no error. */
  readonly isUnread: boolean;
  /** Notes what broke it, for those who hear it first. */
  breaks(error: Error | null | undefined): void;
}

/** Keeps a stream that breaks from ending the process: without a listener its error is an uncaught exception. */
export function watchOutput(stream: Writable): OutputWatch {
  // The stdout of a process forgets that it broke, so its `errored` does not tell.
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
 * Writes to a stream as long as somebody reads it, and into nothing afterwards: an agent whose host has gone finishes its turn,
 * as published agents do, and keeps what was said. Every other error is told.
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
      // The end of a process's stdout that breaks meanwhile never calls back.
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
