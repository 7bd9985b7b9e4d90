import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Asks whoever sits at the terminal, one question after the other. */
export interface AskUser {
  /** The line that is typed; undefined when there is none: the input ended, or the question was taken back. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** `onAsk` is called before each question is written. */
export function createAskUser(input: Readable, output: Writable, onAsk: () => void): AskUser {
  let lines: Interface | undefined;
  let before = Promise.resolve<unknown>(undefined);
  let isOver = false;
  const ask = (question: string, signal: AbortSignal) =>
    new Promise<string | undefined>((resolve) => {
      if (isOver || signal.aborted) return resolve(undefined);
      lines ??= createInterface({ input, terminal: false }).once('close', () => (isOver = true));
      const settle = (answer?: string) => {
        lines?.off('line', settle).off('close', leave);
        signal.removeEventListener('abort', leave);
        resolve(answer);
      };
      const leave = () => {
        output.write('\n');
        settle();
      };
      lines.once('line', settle).once('close', leave);
      signal.addEventListener('abort', leave);
      onAsk();
      output.write(question);
    });
  return {
    ask(question, signal) {
      const asked = before.then(() => ask(question, signal));
      before = asked;
      return asked;
    },
    close: () => lines?.close(),
  };
}
