import { PassThrough } from 'node:stream';
import { createOutboundStream } from '@proto/core';
import { pushable } from 'it-pushable';
import { createFixtures } from '../fixtures.ts';

/** The memory of a queue of waiting messages. */
export interface Held {
  /** The size of the messages as text, each with its LF. */
  readonly bytes: number;
  /** The heap after a collection. */
  readonly liveBytes: number;
  readonly peakBytes: number;
}

const COUNT = 100_000;
const limits = { highWaterMarkBytes: Number.POSITIVE_INFINITY, maxOutboundBytes: Number.POSITIVE_INFINITY };

/** Fills a queue without reading it. Arguments: the name of the queue, `delta250 | assistant1k`. Needs `--expose-gc`. */
export function run([queue = '', message = '']: readonly string[]): Held {
  const fixtures = createFixtures();
  const make = message === 'assistant1k' ? fixtures.assistant1k : fixtures.delta250;
  // The producer creates its messages one by one, by parsing the same few texts repeatedly.
  const texts = Array.from({ length: 100 }, make);
  collect();
  const before = live();
  const push = queues[queue]?.();
  if (push === undefined) throw new Error(`no queue "${queue}"`);
  let bytes = 0;
  for (let index = 0; index < COUNT; index++) {
    const text = texts[index % texts.length] as string;
    bytes += text.length + 1;
    push(JSON.parse(text) as object, index);
  }
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  collect();
  const liveBytes = live() - before;
  // The queue must not be collected before this line.
  push({ type: 'keep_alive' }, COUNT);
  return { bytes, liveBytes, peakBytes };
}

type Push = (message: object, index: number) => void;

const queues: Readonly<Record<string, () => Push>> = {
  nothing: () => () => {},
  ours: () => {
    const stream = createOutboundStream(limits);
    return (message) => stream.enqueue(message);
  },
  'ours with ids': () => {
    const stream = createOutboundStream(limits);
    return (message, index) =>
      stream.enqueue(message, { id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` });
  },
  objects: () => {
    const items: object[] = [];
    return (message) => void items.push(message);
  },
  strings: () => {
    const items: string[] = [];
    return (message) => void items.push(`${JSON.stringify(message)}\n`);
  },
  'it-pushable': () => {
    const items = pushable<object>({ objectMode: true });
    return (message) => void items.push(message);
  },
  PassThrough: () => {
    const stream = new PassThrough({ objectMode: true });
    return (message) => void stream.write(message);
  },
};

function collect(): void {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('run with --expose-gc');
  gc();
  gc();
}

function live(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
