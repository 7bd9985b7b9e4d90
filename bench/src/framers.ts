import { createLineDecoder, decodeLines } from '@proto/core/framing';
import { nodeTextDecoder } from '@proto/transport-stdio';
import type { Candidate } from './measure.ts';

const utf8 = new TextDecoder();

/** All framers: each takes a stream in chunks, parses each line, and returns the number of lines. */
export function ours(from: readonly Buffer[]): Candidate {
  const decode = nodeTextDecoder();
  return () => {
    const decoder = createLineDecoder({ decode });
    let count = 0;
    for (const chunk of from) {
      for (const line of decoder.push(chunk)) {
        JSON.parse(line as string);
        count++;
      }
    }
    return count;
  };
}

/** The same framer as programs on this runtime use it: with Node's decoder on Node, and without it on other runtimes. */
export function oursHere(from: readonly Buffer[]): Candidate {
  return process.versions['bun'] === undefined ? ours(from) : oursPlain(from);
}

/** The same framer without the classes of Node, as in a browser. */
export function oursPlain(from: readonly Buffer[]): Candidate {
  const plain = from.map((chunk) => new Uint8Array(chunk));
  return () => {
    const decoder = createLineDecoder();
    let count = 0;
    for (const chunk of plain) {
      for (const line of decoder.push(chunk)) {
        JSON.parse(line as string);
        count++;
      }
    }
    return count;
  };
}

/** The same framer, used as a loop over lines. */
export function oursIterable(from: readonly Buffer[]): Candidate {
  const decode = nodeTextDecoder();
  return async () => {
    let count = 0;
    for await (const line of decodeLines(through(from), { decode })) {
      JSON.parse(line as string);
      count++;
    }
    return count;
  };
}

async function* through(from: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* from;
}

/** Only parsing, which is faster than any framer of bytes can be. */
export function limit1(from: readonly string[]): Candidate {
  return () => {
    for (const line of from) JSON.parse(line);
    return from.length;
  };
}

/** The limit: only decoding and parsing lines that are already split. */
export function limit2(lines: readonly Uint8Array[]): Candidate {
  return () => {
    for (const line of lines) JSON.parse(utf8.decode(line));
    return lines.length;
  };
}

/** The loop that most programs write first. */
export function naive(from: readonly Buffer[]): Candidate {
  return () => {
    const decoder = new TextDecoder();
    let rest = '';
    let count = 0;
    for (const chunk of from) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) {
        if (line === '') continue;
        JSON.parse(line);
        count++;
      }
    }
    return count;
  };
}

/** Tries to parse all received text after each chunk, as loops without framing do. Used for a stream of one line. */
export function tryParse(from: readonly Buffer[]): Candidate {
  return () => {
    let text = '';
    let count = 0;
    for (const chunk of from) {
      text += utf8.decode(chunk);
      try {
        JSON.parse(text);
        count++;
        text = '';
      } catch {
        // The line is not complete yet.
      }
    }
    return count;
  };
}
