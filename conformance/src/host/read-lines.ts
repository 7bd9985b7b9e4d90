import type { Readable } from 'node:stream';

/** Without its LF. Text after the last LF counts as a line if it is not empty. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  // Node's line reader also splits at U+2028, which JSON texts may contain.
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
