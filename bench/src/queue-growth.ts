import { createFixtures } from './fixtures.ts';
import { type Candidate, compare } from './measure.ts';
import { outboundBurst, plainBlocks } from './outbound-bursts.ts';
import { oursBatch, oursPerItem, through } from './queues.ts';
import { report } from './report.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const ROUNDS = 5;

/**
 * The rows of Q1 that are steady on a busy machine: the cost of one item among a million, relative to one item among ten thousand. The
 * best rounds are compared: a queue whose cost grows with its length is slow in each round, a busy machine only in some.
 */
export async function queueGate(): Promise<void> {
  await incoming('batch', (burst) => through(oursBatch, { burst }));
  await incoming('per item', (burst) => through(oursPerItem, { burst }));
  await outbound();
}

async function incoming(how: string, make: (items: number) => Candidate): Promise<void> {
  const result = await compareBest({ many: many(make(SMALL)), one: make(LARGE) });
  report({
    ...row(`incoming, ${how}`, result.of('one').rate),
    value: result.of('many').best / result.of('one').best,
    goal: 1.5,
    base: 'time per item of 10 000',
  });
}

/**
 * The text of a million waiting messages is 120 MB, which makes each item more expensive for the memory and the garbage collector than 1.2 MB of
 * text, in any data structure: up to 1.76 times as expensive on a busy machine. Therefore the growth is compared with the growth of the same blocks
 * in an array, and not with 1. This allows a lower limit.
 */
async function outbound(): Promise<void> {
  const { delta100 } = createFixtures();
  const values = Array.from({ length: 1000 }, () => JSON.parse(delta100()) as object);
  const candidates = {
    many: many(outboundBurst(values, SMALL)),
    one: outboundBurst(values, LARGE),
    'many arrays': many(plainBlocks(values, SMALL)),
    'one array': plainBlocks(values, LARGE),
  };
  const result = await compareBest(candidates);
  const growth = result.of('many').best / result.of('one').best;
  const growthOfArray = result.of('many arrays').best / result.of('one array').best;
  report({
    ...row('outbound', result.of('one').rate),
    value: growth / growthOfArray,
    goal: 1.35,
    base: 'growth of an array of blocks',
    figures: { limit: `${growthOfArray.toFixed(2)} times`, ours: `${growth.toFixed(2)} times` },
  });
}

/** Measures only once, even if the rounds differ, because only the best round of each candidate is compared. */
function compareBest<Name extends string>(candidates: Readonly<Record<Name | 'many', Candidate>>) {
  return compare('many', candidates, LARGE, { rounds: ROUNDS, peers: Object.keys(candidates) });
}

function row(name: string, rate: number) {
  return {
    id: 'Q1',
    case: `${name}, 1M compared with 10k`,
    metric: 'ratio',
    tol: 0.1,
    atMost: true,
    hard: true,
    note: `${(1e9 / LARGE / rate).toFixed(0)} ns each`,
  } as const;
}

/** Repeats a candidate of few items, so that both sides have the same number of items and garbage is collected equally often. */
function many(small: Candidate): Candidate {
  return async () => {
    let count = 0;
    while (count < LARGE) count += await small();
    return count;
  };
}
