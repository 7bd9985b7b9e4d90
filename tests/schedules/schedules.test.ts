import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import type { Scenario } from '@proto/test-support';
import { problemOf, runSchedules, scheduleOf } from './run-schedules.ts';
import { scenarios } from './scenarios.ts';

// The scenarios of remote sessions have separate tests.
test.each(scenarios.filter(({ name }) => !name.startsWith('remote session')))(
  '$name holds under random schedules',
  async (scenario) => {
    expect(await runSchedules(scenario, 1, 200)).toEqual({ scenario: scenario.name, runs: 200 });
  },
  30_000,
);

/** Fails if `b` comes somewhere after `a`. */
const broken: Scenario = {
  name: 'broken',
  steps: ['a', 'b', 'c', 'd'],
  maxSteps: 12,
  async run(schedule) {
    const place = schedule.indexOf('a');
    assert.ok(place < 0 || !schedule.slice(place).includes('b'), 'b after a');
  },
};

test('a schedule that fails is reduced to the steps it needs to fail', async () => {
  const { runs, failure } = await runSchedules(broken, 7, 1000);
  expect(failure).toMatchObject({ run: runs - 1, minimal: ['a', 'b'], problem: 'b after a' });
  expect(failure?.schedule).toEqual(scheduleOf(broken, 7, runs - 1));
});

test('the same seed gives the same schedules, and another seed gives others', () => {
  const schedules = (seed: number) => Array.from({ length: 20 }, (_, run) => scheduleOf(broken, seed, run));
  expect(schedules(1)).toEqual(schedules(1));
  expect(schedules(1)).not.toEqual(schedules(2));
  expect(new Set(schedules(1).flat())).toEqual(new Set(broken.steps));
});

test('an uncaught error makes a schedule fail', async () => {
  const leaking: Scenario = {
    ...broken,
    async run() {
      void Promise.reject(new Error('left alone'));
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
  expect(await problemOf(leaking, [])).toBe('left alone');
});
