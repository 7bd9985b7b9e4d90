import type { Writable } from 'node:stream';
import type { Paint } from '@proto/terminal';

/** Writes what two sides say: each line after the name of its speaker. Text may come in pieces. */
export interface Transcript {
  /** Begins a part, after an empty line. */
  heading(text: string): void;
  line(speaker: string, text: string): void;
  /** Adds to the open line of the speaker. */
  piece(speaker: string, text: string): void;
}

/** A transcript that is not shown. */
export const SILENT: Transcript = { heading() {}, line() {}, piece() {} };

const COLORS = new Map([
  ['agent', 'cyan'],
  ['link', 'yellow'],
] as const);

/** Writes a transcript to a stream as it comes; `paint` colours the headings and the names of the speakers. */
export function createTranscript(output: Writable, paint: Paint): Transcript {
  let open: string | undefined;
  const close = () => {
    if (open !== undefined) output.write('\n');
    open = undefined;
  };
  const name = (speaker: string) =>
    `${paint(COLORS.get(speaker as 'agent' | 'link') ?? 'dim', speaker.padEnd(5))} ${paint('dim', '|')} `;
  return {
    heading(text) {
      close();
      output.write(`\n${paint('green', text)}\n`);
    },
    line(speaker, text) {
      close();
      output.write(`${name(speaker)}${text}\n`);
    },
    piece(speaker, text) {
      if (text === '') return;
      if (open !== speaker) {
        close();
        output.write(name(speaker));
        open = speaker;
      }
      output.write(text);
    },
  };
}
