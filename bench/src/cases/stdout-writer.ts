import { Readable } from 'node:stream';
import { createOutboundStream } from '@proto/core';
import { createStdioTransport } from '@proto/transport-stdio';
import { createFixtures } from '../fixtures.ts';
import { type Candidate, compare } from '../measure.ts';

/** The cost of one way to write. */
export interface Written {
  /** Microseconds of CPU time per message. */
  readonly cpu: number;
  /** The rate, relative to one write for each message. */
  readonly toPerMessage: number;
  /** Calls of `write` per message. */
  readonly writes: number;
}

const PER_TICK = 50;

/** Writes messages to stdout in each way. Arguments: `delta250 | assistant1k | toolResult`, and how many. Prints the results to stderr. */
export async function run([kind = '', count = '']: readonly string[]): Promise<void> {
  const fixtures = createFixtures();
  const make = fixtures[kind as 'delta250' | 'assistant1k' | 'toolResult'];
  const values = Array.from({ length: Math.min(Number(count), 500) }, () => JSON.parse(make()) as { type: string });
  const messages = Array.from(
    { length: Number(count) },
    (_, index) => values[index % values.length] as { type: string },
  );
  const lines = messages.map((message) => Buffer.from(`${JSON.stringify(message)}\n`));
  const { stdout } = process;
  let writes = 0;
  const write = stdout.write.bind(stdout);
  stdout.write = ((...args: Parameters<typeof write>) => {
    writes++;
    return write(...args);
  }) as typeof write;

  const outbound = createOutboundStream();
  void outbound.pipeTo(createStdioTransport({ input: new Readable({ read() {} }), output: stdout }));
  const candidates: Record<string, Candidate> = {
    ours: inTicks(messages, (message) => outbound.emit(message)),
    'per message': inTicks(messages, (message) => void stdout.write(`${JSON.stringify(message)}\n`)),
    'slices of 2000': inTicks(messages, (message) => {
      const line = `${JSON.stringify(message)}\n`;
      for (let at = 0; at < line.length; at += 2000) stdout.write(line.slice(at, at + 2000));
    }),
    'raw bytes': inTicks(blocks(lines), (block) => void stdout.write(block), 1),
    stringify: inTicks(messages, (message) => void JSON.stringify(message)),
  };
  const perRun: Record<string, number> = {};
  for (const [name, candidate] of Object.entries(candidates)) {
    writes = 0;
    await candidate();
    await new Promise<void>((resolve) => write('', () => resolve()));
    perRun[name] = writes / messages.length;
  }
  const counted = Object.fromEntries(
    Object.entries(candidates).map(([name, candidate]) => [
      name,
      async () => {
        await candidate();
        // Wait until everything is written, so that a candidate pays for its own writes.
        await new Promise<void>((resolve) => write('', () => resolve()));
        return messages.length;
      },
    ]),
  );
  const result = await compare('per message', counted, messages.length, { rounds: 9 });
  const all = Object.fromEntries(
    result.names.map((name) => {
      const { rate, ratio } = result.of(name);
      return [name, { cpu: 1e6 / rate / messages.length, toPerMessage: ratio, writes: perRun[name] }];
    }),
  );
  process.stderr.write(JSON.stringify({ ...all, noisy: result.noisy }));
  process.exit();
}

/** Writes like an agent: several messages in one tick, and then lets other work run. */
function inTicks<T>(items: readonly T[], act: (item: T) => unknown, perTick = PER_TICK): Candidate {
  return async () => {
    for (let at = 0; at < items.length; at += perTick) {
      await Promise.all(items.slice(at, at + perTick).map(act));
      await new Promise(setImmediate);
    }
    return items.length;
  };
}

/** Joins the messages of one tick into one write. */
function blocks(lines: readonly Buffer[]): Buffer[] {
  const whole: Buffer[] = [];
  for (let at = 0; at < lines.length; at += PER_TICK) whole.push(Buffer.concat(lines.slice(at, at + PER_TICK)));
  return whole;
}
