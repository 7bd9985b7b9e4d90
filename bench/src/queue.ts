import { createOutboundStream } from '@proto/core';
import { figuresOf } from './figures.ts';
import { createFixtures } from './fixtures.ts';
import { type Candidate, compare, ratios } from './measure.ts';
import {
  type Arrival,
  arrayShift,
  countOf,
  oursBatch,
  oursPerItem,
  peerQueues,
  plainArray,
  through,
} from './queues.ts';
import { report } from './report.ts';

const ARRIVALS: Readonly<Record<string, Arrival>> = {
  'burst 100': { burst: 100 },
  'burst 10k': { burst: 10_000 },
  'burst 100k': { burst: 100_000 },
  '8 per tick': { perTick: 8, ticks: 500 },
};
// The time of these two queues grows with the square of the waiting items: from this size on, they take seconds.
const MOST_FOR_SHIFT = 10_000;
const SMALL = 10_000;
const LARGE = 1_000_000;

/** Q1: the cost of waiting in the incoming queue (references) and in the outgoing queue (text). */
export async function queue(): Promise<void> {
  for (const [name, arrival] of Object.entries(ARRIVALS)) await incoming(name, arrival);
  await outbound();
  await queueGate();
}

async function incoming(name: string, arrival: Arrival): Promise<void> {
  const items = countOf(arrival);
  const peers: Record<string, Candidate> = {};
  for (const [peer, make] of Object.entries({ 'array.shift': arrayShift, ...peerQueues })) {
    const isShifting = ['array.shift', 'ReadableStream'].includes(peer);
    const isRepeater = peer === '@repeaterjs/repeater';
    if (isShifting && items > MOST_FOR_SHIFT) continue;
    if (isRepeater && items > 100) continue;
    peers[peer] = through(make, arrival);
  }
  const names = Object.keys(peers);
  const own = {
    array: plainArray(arrival),
    batch: through(oursBatch, arrival),
    'per item': through(oursPerItem, arrival),
  };
  const result = await compare<string>('array', { ...own, ...peers }, items, { rounds: 9, peers: names });
  const work = { amount: items, unit: 'items/s' };
  const row = { id: 'Q1', metric: 'ratio', tol: 0.1, noisy: result.noisy, note: ratios(result) } as const;
  const isBurst = 'burst' in arrival;
  report({
    ...row,
    case: `incoming ${name}, batch`,
    value: result.of('batch').ratio,
    base: 'array loop',
    figures: figuresOf(result, work, { limit: 'array', ours: 'batch', peers: names }),
    // With a fixed number of items per tick, both queues only wait for the next tick.
    ...(isBurst && items >= SMALL && { goal: 0.75 }),
  });
  const peer = 'it-pushable';
  report({
    ...row,
    case: `incoming ${name}, per item`,
    value: result.between('per item', peer),
    base: peer,
    peer,
    figures: figuresOf(result, work, { limit: 'array', ours: 'per item', peers: names }),
    ...(isBurst && { goal: 1.5 }),
  });
}

async function outbound(): Promise<void> {
  const { delta250 } = createFixtures();
  const values = Array.from({ length: 1000 }, () => JSON.parse(delta250()) as object);
  for (const [name, items] of [
    ['burst 100', 100],
    ['burst 10k', SMALL],
  ] as const) {
    const result = await compare(
      'stringify',
      { stringify: stringifyAll(values, items), ours: outboundBurst(values, items) },
      items,
    );
    report({
      id: 'Q1',
      case: `outbound ${name}`,
      metric: 'ratio',
      value: 1 / result.of('ours').ratio,
      goal: 1.3,
      tol: 0.1,
      base: 'JSON.stringify',
      atMost: true,
      noisy: result.noisy,
      figures: figuresOf(result, { amount: items, unit: 'messages/s' }, { limit: 'stringify', ours: 'ours' }),
    });
  }
}

/** The rows of Q1 that are steady on a busy machine: the cost of one item among a million, relative to one item among ten thousand. */
export async function queueGate(): Promise<void> {
  const { delta100 } = createFixtures();
  const values = Array.from({ length: 1000 }, () => JSON.parse(delta100()) as object);
  const kinds = {
    'incoming, batch': (burst: number) => through(oursBatch, { burst }),
    'incoming, per item': (burst: number) => through(oursPerItem, { burst }),
    outbound: (burst: number) => outboundBurst(values, burst),
  };
  for (const [name, make] of Object.entries(kinds)) {
    const small = make(SMALL);
    // Both sides use the same number of items, so that garbage is collected equally often.
    const many: Candidate = async () => {
      let count = 0;
      while (count < LARGE) count += await small();
      return count;
    };
    const result = await compare('many', { many, one: make(LARGE) }, LARGE, { rounds: 5 });
    report({
      id: 'Q1',
      case: `${name}, 1M to 10k`,
      metric: 'ratio',
      // Of the best rounds: a queue whose cost grows with its length is slow in each round, a busy machine only in some.
      value: result.of('many').best / result.of('one').best,
      goal: 1.5,
      tol: 0.1,
      base: 'time per item of 10 000',
      atMost: true,
      hard: true,
      note: `${(1e9 / LARGE / result.of('one').rate).toFixed(0)} ns each`,
    });
  }
}

function stringifyAll(values: readonly object[], items: number): Candidate {
  return () => {
    let count = 0;
    for (let index = 0; index < items; index++) {
      if (JSON.stringify(values[index % values.length]).length > 0) count++;
    }
    return count;
  };
}

function outboundBurst(values: readonly object[], items: number): Candidate {
  const limits = { highWaterMarkBytes: Number.POSITIVE_INFINITY, maxOutboundBytes: Number.POSITIVE_INFINITY };
  return async () => {
    const stream = createOutboundStream(limits);
    for (let index = 0; index < items; index++) stream.enqueue(values[index % values.length] as object);
    stream.end();
    let count = 0;
    await stream.pipeTo({
      send(batch) {
        count += batch.count;
        return Promise.resolve();
      },
    });
    return count;
  };
}
