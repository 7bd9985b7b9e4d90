import { REQUEST_LINE, RESPONSE_LINE } from './permission.ts';
import type { StreamPeer } from './stream-peer.ts';

/** The limit: the same bytes through the same channel, only counted. */
export const peer: StreamPeer = {
  serve(input, output) {
    let bytes = 0;
    input.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const whole = Math.floor(bytes / REQUEST_LINE.length);
      bytes %= REQUEST_LINE.length;
      for (let request = 0; request < whole; request++) output.write(RESPONSE_LINE);
    });
  },
  async connect(input, output) {
    const waiting: (() => void)[] = [];
    let head = 0;
    let bytes = 0;
    input.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      for (; bytes >= RESPONSE_LINE.length; bytes -= RESPONSE_LINE.length) waiting[head++]?.();
      if (head === waiting.length) waiting.length = head = 0;
    });
    return {
      call: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          output.write(REQUEST_LINE);
        }),
      close: () => input.destroy(),
    };
  },
  async openSender(_input, output) {
    let line = '';
    let unsent = 0;
    const flush = () => {
      output.write(line.repeat(unsent));
      unsent = 0;
    };
    return (message) => {
      if (line === '') line = `${JSON.stringify(message)}\n`;
      if (unsent++ === 0) queueMicrotask(flush);
    };
  },
  receive(input, _output, onMessages) {
    input.on('data', (chunk: Buffer) => {
      let lines = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
      onMessages(lines);
    });
  },
};
