import { createInterface } from 'node:readline';
import { type Duplex, PassThrough, Readable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import byline from 'byline';
import { parse as itParse } from 'it-ndjson';
import ndjson from 'ndjson';
import split2 from 'split2';
import { parser as jsonlParser } from 'stream-json/jsonl/parser.js';
import type { Candidate } from './measure.ts';

/** The same work with other packages: each parses every line in the way that its documentation recommends. */
export function peerFramers(from: readonly Buffer[]): Readonly<Record<string, Candidate>> {
  return {
    split2: through(from, () => split2(), parseText),
    byline: through(from, () => byline.createStream(), parseBytes),
    // These two packages parse the lines themselves.
    ndjson: through(from, () => ndjson.parse(), parsed),
    'stream-json': through(from, () => jsonlParser.asStream(), parsed),
    'it-ndjson': async () => {
      let count = 0;
      for await (const _ of itParse(from)) count++;
      return count;
    },
    readline: () => {
      const input = new PassThrough();
      let count = 0;
      const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
      lines.on('line', (line) => {
        JSON.parse(line);
        count++;
      });
      for (const chunk of from) input.write(chunk);
      input.end();
      return new Promise((resolve) => lines.once('close', () => resolve(count)));
    },
    '@agentclientprotocol/sdk': async () => {
      const input = Readable.toWeb(Readable.from(from)) as ReadableStream<Uint8Array>;
      const { readable } = ndJsonStream(new WritableStream(), input, { maxMessageBytes: Number.MAX_SAFE_INTEGER });
      let count = 0;
      for await (const _ of readable) count++;
      return count;
    },
  };
}

function through(from: readonly Buffer[], make: () => Duplex, look: (line: unknown) => void): Candidate {
  return () =>
    new Promise((resolve, reject) => {
      const stream = make();
      let count = 0;
      stream.on('data', (line: unknown) => {
        look(line);
        count++;
      });
      stream.on('end', () => resolve(count));
      stream.on('error', reject);
      for (const chunk of from) stream.write(chunk);
      stream.end();
    });
}

function parseText(line: unknown): void {
  JSON.parse(line as string);
}

function parseBytes(line: unknown): void {
  JSON.parse((line as Buffer).toString());
}

function parsed(): void {}
