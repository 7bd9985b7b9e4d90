import { type CaseResult, findRequirement, selectCases, testServer } from '@proto/conformance';
import { describe, expect, test } from 'vitest';
import { serverFaults, startFixtureServer } from './fixture-server.ts';
import { startOwnServer } from './own-server.ts';

/** What is wrong in a run, one line for each case. */
function problemsOf(results: readonly CaseResult[]): readonly string[] {
  const wrong = results.filter(({ verdict }) => verdict !== 'passed' && verdict !== 'not-declared');
  return wrong.map(({ id, verdict, reason, failures }) => `${verdict} ${id}: ${reason ?? failures[0]?.message}`);
}

const cases = selectCases('server');

test('our ingress keeps to every case of servers', { timeout: 1_200_000 }, async () => {
  await using server = await startOwnServer();
  const results = await testServer({ ...server, cases });
  expect(problemsOf(results)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'not-declared')).toEqual([]);
});

const ATTEMPTS = 3;

describe('the server in plain JavaScript', () => {
  test('keeps to every case of what it declares', { timeout: 1_200_000 }, async () => {
    await using server = await startFixtureServer();
    const results = await testServer({ ...server, cases });
    expect(problemsOf(results)).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(250);
  });

  test.concurrent.each(serverFaults.map(({ 'found-by': foundBy, ...rest }) => ({ ...rest, foundBy })))(
    'with the fault $fault fails in $foundBy',
    { timeout: 120_000 },
    async ({ fault, foundBy, section }) => {
      await using server = await startFixtureServer(fault);
      const run = async () =>
        (await testServer({ ...server, cases: selectCases('server', [foundBy]), timeoutScale: 0.2 }))[0];
      let result = await run();
      const sections = () => result?.failures.map(({ spec }) => findRequirement(spec)?.section) ?? [];
      // Some faults are visible only in the timing: on a busy machine, an answer may be late enough to pass, or an earlier step may reach its time
      // limit.
      for (let times = 1; !sections().includes(section) && times < ATTEMPTS; times += 1) result = await run();
      expect(['failed', 'warned']).toContain(result?.verdict);
      expect(sections()).toContain(section);
    },
  );
});
