import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type AskUser, createAskUser } from './ask-user.ts';

/** Where lines are typed: answers while a question is open, and prompts otherwise. */
export interface KeyboardOptions {
  readonly stdin: Readable;
  /** Where questions are written. */
  readonly stderr: Writable;
  readonly onAsk: () => void;
  readonly onPrompt: (text: string) => void;
  /** No more lines come. */
  readonly onEnd: () => void;
}

/** Reads the lines of a keyboard; the user can be asked by it. */
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
