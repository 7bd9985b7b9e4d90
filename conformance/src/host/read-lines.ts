import type { Readable } from 'node:stream';

/** Calls `onLine` with each line of a stream of UTF-8, without its LF, and with what follows the last LF if there is something. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  // The line reader of Node also cuts at U+2028, which JSON texts may contain.
  let rest: string[] = [];
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const [first = '', ...others] = text.split('\n');
    rest.push(first);
    for (const other of others) {
      onLine(rest.join(''));
      rest = [other];
    }
  });
  stream.on('end', () => {
    const last = rest.join('');
    rest = [];
    if (last !== '') onLine(last);
  });
}
