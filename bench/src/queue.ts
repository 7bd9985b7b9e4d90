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
import { outboundBurst, stringifyAll } from './outbound-bursts.ts';
import { queueGate } from './queue-growth.ts';
import { report } from './report.ts';

const ARRIVALS: Readonly<Record<string, Arrival>> = {
  'burst 100': { burst: 100 },
  'burst 10k': { burst: 10_000 },
  'burst 100k': { burst: 100_000 },
  '8 per tick': { perTick: 8, ticks: 500 },
};
// The time of these two queues grows with the square of the number of waiting items. From this number on, they take several seconds.
const MOST_FOR_SHIFT = 10_000;
const SMALL = 10_000;

/** Q1: the cost of keeping items in the incoming queue (references) and in the outgoing queue (text). */
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
