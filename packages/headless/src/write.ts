import type { Writable } from 'node:stream';

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
