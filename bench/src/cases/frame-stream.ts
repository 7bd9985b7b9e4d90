import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import { createLineDecoder } from '@proto/core/framing';
import { nodeTextDecoder } from '@proto/transport-stdio';
import split2 from 'split2';
import { chunks, createFixtures, messages } from '../fixtures.ts';

/** The cost of framing a stream of a given size. */
export interface Framed {
  readonly lines: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** Frames a mixed session, repeated up to this many megabytes: `ours | readline | split2`, megabytes, `parse` or not. */
export async function run([framer = '', megabytes = '', parse]: readonly string[]): Promise<Framed> {
  const made = messages(createFixtures().mixed, PIECE_BYTES);
  const piece = chunks(made, 65_536);
  const times = Math.max(1, Math.round((Number(megabytes) * 1024 * 1024) / PIECE_BYTES));
  const look = parse === 'parse' ? (line: string) => void JSON.parse(line) : () => {};
  const before = process.cpuUsage();
  const lines = await framers[framer]?.(piece, times, look);
  const { user, system } = process.cpuUsage(before);
  if (lines !== made.length * times) throw new Error(`${lines} lines instead of ${made.length * times}`);
  return { lines, cpuSeconds: (user + system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 };
}

type Framer = (piece: readonly Buffer[], times: number, look: (line: string) => void) => number | Promise<number>;

const framers: Readonly<Record<string, Framer>> = {
  ours(piece, times, look) {
    const decoder = createLineDecoder({ decode: nodeTextDecoder() });
    let count = 0;
    for (let time = 0; time < times; time++) {
      for (const chunk of piece) {
        for (const line of decoder.push(chunk)) {
          look(line as string);
          count++;
        }
      }
    }
    return count;
  },
  async readline(piece, times, look) {
    const input = new PassThrough();
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    let count = 0;
    lines.on('line', (line) => {
      look(line);
      count++;
    });
    const closed = new Promise((resolve) => lines.once('close', resolve));
    await feed(input, piece, times);
    await closed;
    return count;
  },
  async split2(piece, times, look) {
    const stream = split2();
    let count = 0;
    stream.on('data', (line: string) => {
      look(line);
      count++;
    });
    const ended = new Promise((resolve) => stream.once('end', resolve));
    await feed(stream, piece, times);
    await ended;
    return count;
  },
};

async function feed(stream: NodeJS.WritableStream, piece: readonly Buffer[], times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const chunk of piece) {
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
    }
  }
  stream.end();
}
