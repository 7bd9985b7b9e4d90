import { expect, test } from 'vitest';

import type { Case } from '../cases/case-schema.ts';
import type { Failure } from '../results/result.ts';
import { SIMPLER_STARTS } from '../agent/random/generate-session.ts';
import { shrinkSession } from './shrink-session.ts';

const FAILURE: Failure = { spec: 'TRN-10', level: 'must', rule: 'turn/ends', message: 'The turn does not end.' };
const OTHER: Failure = { spec: 'TRN-9', level: 'must', rule: 'turn/init', message: 'No init.' };

function sessionOf(count: number): Case {
  return {
    id: 'agent/random/one',
    title: 'A session of a test.',
    side: 'agent',
    spec: ['TRN-10'],
    level: 'must',
    needs: [],
    start: {
      args: ['--permission-prompt-tool', 'stdio', '--replay-user-messages', '--include-partial-messages'],
      initialize: false,
    },
    steps: Array.from({ length: count }, (_, step) => ({ say: step })),
  };
}

const numbers = ({ steps }: Case) => steps.map(({ say }) => Number(say));

test('only the steps and the flags that are needed remain', async () => {
  let runs = 0;
  const run = async (entry: Case) => {
    runs += 1;
    const said = numbers(entry);
    return said.includes(7) && said.includes(31) && said.indexOf(7) < said.indexOf(31) ? [OTHER, FAILURE] : [OTHER];
  };
  const { entry, failure, isRepeatable } = await shrinkSession(sessionOf(40), {
    failures: [FAILURE],
    run,
    simpler: SIMPLER_STARTS,
  });
  expect(numbers(entry)).toEqual([7, 31]);
  expect(entry.start).toEqual({ args: ['--permission-prompt-tool', 'stdio'], initialize: false });
  expect([failure, isRepeatable]).toEqual([FAILURE, true]);
  expect(runs).toBeLessThanOrEqual(120);
});

test('only the messages of a write that are needed remain', async () => {
  const whole = { ...sessionOf(3), steps: [{ say: 1 }, { 'say-all': [2, 3, 4, 5, 6] }, { say: 7 }] };
  const run = async ({ steps }: Case) => (JSON.stringify(steps).includes('5') ? [FAILURE] : []);
  const { entry } = await shrinkSession(whole, { failures: [FAILURE], run, simpler: [] });
  expect(entry.steps).toEqual([{ 'say-all': [5] }]);
});

test('the steps of a repeat remain together', async () => {
  const together = { repeat: 1, steps: [{ say: 1 }, { expect: 2 }] };
  const whole = { ...sessionOf(0), steps: [{ say: 0 }, together] };
  const run = async ({ steps }: Case) => (JSON.stringify(steps).includes('expect') ? [FAILURE] : []);
  const { entry } = await shrinkSession(whole, { failures: [FAILURE], run, simpler: [] });
  expect(entry.steps).toEqual([together]);
});

test('a session that fails in another way when it is shorter is not shortened', async () => {
  const whole = sessionOf(8);
  const run = async (entry: Case) => (entry.steps.length === 8 ? [FAILURE] : [OTHER]);
  const { entry } = await shrinkSession(whole, { failures: [FAILURE], run, simpler: SIMPLER_STARTS });
  expect(entry.steps).toEqual(whole.steps);
});

test('a session that always fails is not shortened to one that fails every second time', async () => {
  let runs = 0;
  const run = async (entry: Case) => (entry.steps.length > 4 || (runs += 1) % 2 === 1 ? [FAILURE] : [OTHER]);
  const { entry } = await shrinkSession(sessionOf(8), { failures: [FAILURE], run, simpler: [] });
  expect(entry.steps).toHaveLength(5);
});

test('a failure that does not occur again leaves the session as it was', async () => {
  const whole = sessionOf(8);
  expect(
    await shrinkSession(whole, {
      failures: [FAILURE],
      run: async () => [],
      simpler: [],
    }),
  ).toEqual({
    entry: whole,
    failure: FAILURE,
    isRepeatable: false,
    isShortest: true,
  });
});

test.each([
  [20, true],
  [200, false],
])('of %i steps that are all needed, each was tried: %s', async (count, isShortest) => {
  const run = async ({ steps }: Case) => (steps.length === count ? [FAILURE] : []);
  const simpler = SIMPLER_STARTS;
  expect(await shrinkSession(sessionOf(count), { failures: [FAILURE], run, simpler })).toMatchObject({ isShortest });
});

test('a failure that occurs only sometimes is tried three times', async () => {
  let runs = 0;
  const run = async () => ((runs += 1) === 3 ? [FAILURE] : []);
  expect(await shrinkSession(sessionOf(2), { failures: [FAILURE], run, simpler: SIMPLER_STARTS })).toMatchObject({
    isRepeatable: true,
  });
});

test('members that no specification defines remain only if they are needed', async () => {
  const steps = [{ say: { type: 'a', later_member: 1 } }, { say: { type: 'b', later_member: 1 }, spec: 'MSG-8' }];
  const run = async ({ steps: rest }: Case) => (JSON.stringify(rest).includes('"a","later') ? [FAILURE] : []);
  const both = async (entry: Case) => (JSON.stringify(entry).includes('"b"') ? run(entry) : []);
  const { entry } = await shrinkSession({ ...sessionOf(0), steps }, { failures: [FAILURE], run: both, simpler: [] });
  expect(entry.steps).toEqual([{ say: { type: 'a', later_member: 1 } }, { say: { type: 'b' } }]);
});
