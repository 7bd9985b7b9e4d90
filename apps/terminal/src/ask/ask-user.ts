import { createInterface, type Interface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';

/** Asks the person at the terminal, one question after the other. */
export interface AskUser {
  /** Returns the line that the user types; undefined if the input ends or `signal` aborts first. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** Stops reading. A pending call of `ask` fulfils with undefined. */
  close(): void;
}

/** Creates an `AskUser` that asks over two streams. `onAsk` is called before each question is written. */
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

/** The streams and the callbacks of a keyboard. A line that the user types is an answer while a question is open, and a prompt otherwise. */
export interface KeyboardOptions {
  readonly stdin: Readable;
  /** The stream to which questions are written. */
  readonly stderr: Writable;
  /** Called before each question is written. */
  readonly onAsk: () => void;
  readonly onPrompt: (text: string) => void;
  /** Called after the last line. */
  readonly onEnd: () => void;
}

/** Reads the lines of a keyboard, and asks its user. */
export function createKeyboard({ stdin, stderr, onAsk, onPrompt, onEnd }: KeyboardOptions): AskUser {
  const answers = new PassThrough();
  const user = createAskUser(answers, stderr, onAsk);
  let questions = 0;
  const lines = createInterface({ input: stdin, terminal: false });
  lines.on('line', (text) => {
    if (questions > 0) answers.write(`${text}\n`);
    else if (text.trim() !== '') onPrompt(text);
  });
  lines.once('close', () => {
    answers.end();
    onEnd();
  });
  return {
    async ask(question, signal) {
      questions++;
      try {
        return await user.ask(question, signal);
      } finally {
        questions--;
      }
    },
    close() {
      user.close();
      lines.close();
    },
  };
}
