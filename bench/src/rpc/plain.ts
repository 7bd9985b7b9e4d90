import { createInterface } from 'node:readline';
import { ANSWER, ASK, checkAnswer } from './permission.ts';
import type { StreamPeer } from './stream-peer.ts';

/** The code that most programs write first: a write for each message, and `readline`. */
export const peer: StreamPeer = {
  serve(input, output) {
    createInterface({ input }).on('line', (line) => {
      const { id } = JSON.parse(line) as { id: number };
      output.write(`${JSON.stringify({ id, answer: ANSWER })}\n`);
    });
  },
  async connect(input, output) {
    const waiting = new Map<number, (answer: unknown) => void>();
    let last = 0;
    createInterface({ input }).on('line', (line) => {
      const { id, answer } = JSON.parse(line) as { id: number; answer: unknown };
      waiting.get(id)?.(answer);
      waiting.delete(id);
    });
    return {
      async call() {
        const answer = new Promise((resolve) => waiting.set(++last, resolve));
        output.write(`${JSON.stringify({ id: last, ask: ASK })}\n`);
        checkAnswer(await answer);
      },
      close: () => input.destroy(),
    };
  },
  async openSender(_input, output) {
    return (message) => void output.write(`${JSON.stringify(message)}\n`);
  },
  receive(input, _output, onMessages) {
    createInterface({ input }).on('line', (line) => {
      JSON.parse(line);
      onMessages(1);
    });
  },
};
