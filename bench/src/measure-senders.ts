import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { short } from './figures.ts';
import { median, spread } from './measure.ts';

const MESSAGES = 20_000;
const ROUNDS = 7;
const NOISY = 0.15;

/** The cost of one run of a sender. */
export interface Sample {
  /** Messages per second of wall time. */
  readonly rate: number;
  /** The CPU time of both processes together, in microseconds per message. */
  readonly cpu: number;
}

/** A child process that sends on request, and the receiver of its messages. */
export interface Sender {
  /** Settles when all messages of a run have arrived. */
  run(): Promise<Sample>;
}

/** The results of each sender. */
export interface SenderComparison {
  /** Rate and CPU time, in words. */
  text(name: string): string;
  /** Median over the rounds of the ratio inside a round. */
  ratio(name: string, other: string, metric: keyof Sample): number;
  isNoisy(names: readonly string[]): boolean;
}

/** Controls a child that runs `sendOnRequest`. Calls `receive` once, with a function that takes the number of messages that arrived. */
export function senderOf(child: ChildProcess, receive: (onMessages: (count: number) => void) => unknown): Sender {
  let received = 0;
  let onAll: () => void = () => {};
  let onLost: (error: unknown) => void = () => {};
  const onMessages = (count: number) => {
    received += count;
    if (received === MESSAGES) onAll();
  };
  // Some receivers settle only at the end of the stream. If the stream fails earlier, the run in progress fails.
  Promise.resolve(receive(onMessages)).catch((error) => onLost(error));
  return {
    async run() {
      received = 0;
      const before = process.cpuUsage();
      const start = performance.now();
      const reported = once(child, 'message') as Promise<[number]>;
      const all = new Promise<void>((resolve, reject) => {
        onAll = resolve;
        onLost = reject;
      });
      child.send(MESSAGES);
      await all;
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      const [agent] = await reported;
      if (received !== MESSAGES) throw new Error(`received ${received} messages instead of ${MESSAGES}`);
      return { rate: MESSAGES / seconds, cpu: (user + system + agent) / MESSAGES };
    },
  };
}

/** Runs every sender once per round, in rotated order. */
export async function compareSenders(senders: Readonly<Record<string, Sender>>): Promise<SenderComparison> {
  const order = Object.entries(senders);
  const samples = new Map<string, Sample[]>(order.map(([name]) => [name, []]));
  for (const [, sender] of order) await sender.run();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, sender] of order) samples.get(name)?.push(await sender.run());
    order.push(...order.splice(0, 1));
  }
  const all = (name: string, metric: keyof Sample) => (samples.get(name) ?? []).map((each) => each[metric]);
  return {
    text: (name) => `${short(median(all(name, 'rate')))}/s, ${median(all(name, 'cpu')).toFixed(1)} us of CPU`,
    ratio(name, other, metric) {
      const others = all(other, metric);
      return median(all(name, metric).map((value, round) => value / (others[round] as number)));
    },
    isNoisy: (names) => names.some((name) => spread(all(name, 'rate')) > NOISY),
  };
}
