import type { Writable } from 'node:stream';
import type { Paint } from '@proto/terminal';

/** Writes the messages of two sides. Each line begins with the name of its speaker. Text may arrive in pieces. */
export interface Transcript {
  /** Begins a part, after an empty line. */
  heading(text: string): void;
  line(speaker: string, text: string): void;
  /** Adds text to the speaker's open line. */
  piece(speaker: string, text: string): void;
}

/** A transcript that is not shown. */
export const SILENT: Transcript = { heading() {}, line() {}, piece() {} };

const COLORS = new Map([
  ['agent', 'cyan'],
  ['link', 'yellow'],
] as const);

/** Writes a transcript to a stream as the text arrives. `paint` colours the headings and the names of the speakers. */
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
