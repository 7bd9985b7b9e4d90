import { PassThrough } from 'node:stream';
import {
  defineTransport,
  flattenIncoming,
  incomingMessage,
  type Incoming,
  type TransportControl,
} from '@proto/core/transport';
import { Repeater } from '@repeaterjs/repeater';
import { pushable } from 'it-pushable';
import type { Candidate } from './measure.ts';

const ITEM = incomingMessage('{"type":"keep_alive"}');
// The number of lines of 250 bytes in a chunk of 64 KB.
const ARRIVAL: readonly Incoming[] = Array.from({ length: 256 }, () => ITEM);

/** How items arrive: all at once, and are then drained, or a fixed number per tick, with a consumer that keeps up. */
export type Arrival = { readonly burst: number } | { readonly perTick: number; readonly ticks: number };

/** How many items arrive. */
export function countOf(arrival: Arrival): number {
  return 'burst' in arrival ? arrival.burst : arrival.perTick * arrival.ticks;
}

/** A queue of references between a producer and an async consumer. */
interface Queue {
  push(count: number): void;
  end(): void;
  /** Takes all items. Returns their number. */
  drain(): Promise<number>;
}

/** A candidate that sends items through a queue. */
export function through(make: () => Queue, arrival: Arrival): Candidate {
  return async () => {
    const queue = make();
    if ('burst' in arrival) {
      queue.push(arrival.burst);
      queue.end();
      return queue.drain();
    }
    const drained = queue.drain();
    for (let tick = 0; tick < arrival.ticks; tick++) {
      queue.push(arrival.perTick);
      await new Promise(setImmediate);
    }
    queue.end();
    return drained;
  };
}

/** The limit: an array that is filled and looped over. */
export function plainArray(arrival: Arrival): Candidate {
  const fill = 'burst' in arrival ? arrival.burst : arrival.perTick;
  const loop = (): number => {
    const items: Incoming[] = [];
    for (let index = 0; index < fill; index++) items.push(ITEM);
    let count = 0;
    for (const item of items) if (item.kind === 'message') count++;
    return count;
  };
  if ('burst' in arrival) return loop;
  return async () => {
    let count = 0;
    for (let tick = 0; tick < arrival.ticks; tick++) {
      count += loop();
      await new Promise(setImmediate);
    }
    return count;
  };
}

/** Our incoming queue, taken in batches as a session does. */
export function oursBatch(): Queue {
  const { transport, push, end } = openTransport();
  return {
    push,
    end,
    async drain() {
      let count = 0;
      for await (const items of transport.incoming) {
        for (const item of items) if (item.kind === 'message') count++;
      }
      return count;
    },
  };
}

/** Our incoming queue, taken one by one. */
export function oursPerItem(): Queue {
  const { transport, push, end } = openTransport();
  return { push, end, drain: () => count(flattenIncoming(transport.incoming)) };
}

function openTransport() {
  let control!: TransportControl;
  const connect = (given: TransportControl) => {
    control = given;
    control.opened();
    return { write() {}, close() {}, abort() {} };
  };
  const transport = defineTransport('bench', connect, { maxIncomingBytes: Number.POSITIVE_INFINITY });
  const push = (items: number): void => {
    for (let left = items; left > 0; left -= ARRIVAL.length) {
      control.receive(left >= ARRIVAL.length ? ARRIVAL : ARRIVAL.slice(0, left));
    }
  };
  return { transport, push, end: () => control.ended() };
}

/** The usual implementation of such a queue. */
export function arrayShift(): Queue {
  const items: Incoming[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const iterate = async function* () {
    for (;;) {
      const item = items.shift();
      if (item !== undefined) yield item;
      else if (ended) return;
      else await new Promise<void>((resolve) => void (wake = resolve));
    }
  };
  return {
    push(itemCount) {
      for (let index = 0; index < itemCount; index++) items.push(ITEM);
      wake?.();
    },
    end() {
      ended = true;
      wake?.();
    },
    drain: () => count(iterate()),
  };
}

/** The queues of other packages. */
export const peerQueues: Readonly<Record<string, () => Queue>> = {
  'it-pushable': () => {
    const queue = pushable<Incoming>({ objectMode: true });
    return { push: repeat((item) => queue.push(item)), end: () => void queue.end(), drain: () => count(queue) };
  },
  PassThrough: () => {
    const stream = new PassThrough({ objectMode: true });
    return { push: repeat((item) => stream.write(item)), end: () => void stream.end(), drain: () => count(stream) };
  },
  ReadableStream: () => {
    let controller!: ReadableStreamDefaultController<Incoming>;
    const stream = new ReadableStream<Incoming>({ start: (given) => void (controller = given) });
    return {
      push: repeat((item) => controller.enqueue(item)),
      end: () => controller.close(),
      drain: () => count(stream),
    };
  },
  '@repeaterjs/repeater': () => {
    const waiting: Incoming[] = [];
    let push = (item: Incoming): unknown => waiting.push(item);
    let stop: (() => void) | undefined;
    let ended = false;
    const repeater = new Repeater<Incoming>(async (send, end) => {
      // This queue refuses more than 1024 waiting values.
      for (const item of waiting) await send(item);
      push = send;
      stop = end;
      if (ended) end();
      await end;
    });
    return {
      push: repeat((item) => push(item)),
      end() {
        ended = true;
        stop?.();
      },
      drain: () => count(repeater),
    };
  },
};

function repeat(push: (item: Incoming) => unknown): (count: number) => void {
  return (itemCount) => {
    for (let index = 0; index < itemCount; index++) push(ITEM);
  };
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let seen = 0;
  for await (const _ of items) seen++;
  return seen;
}
