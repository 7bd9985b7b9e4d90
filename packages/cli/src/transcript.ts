import type { Writable } from 'node:stream';

/** What two sides say, each line under its speaker; text may come in pieces. */
export interface Transcript {
  line(speaker: string, text: string): void;
  /** Adds to the speaker's open line. */
  piece(speaker: string, text: string): void;
}

/** Writes a transcript to a stream as it comes. */
export function createTranscript(output: Writable): Transcript {
  let open: string | undefined;
  const close = () => {
    if (open !== undefined) output.write('\n');
    open = undefined;
  };
  return {
    line(speaker, text) {
      close();
      output.write(`${speaker.padEnd(5)} | ${text}\n`);
    },
    piece(speaker, text) {
      if (text === '') return;
      if (open !== speaker) {
        close();
        output.write(`${speaker.padEnd(5)} | `);
        open = speaker;
      }
      output.write(text);
    },
  };
}
