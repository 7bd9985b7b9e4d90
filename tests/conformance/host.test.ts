/** The conformance suite for hosts, on our host, on the published SDK, and on a host in plain JavaScript with one fault after the other. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CaseResult, createReport, exitCodeOf, parseBaseline, selectCases, testHost } from '@proto/conformance';
import { describe, expect, test } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const suite = dirname(createRequire(import.meta.url).resolve('@proto/conformance/package.json'));
const FIXTURE = join(suite, 'fixtures/host-adapter.mjs');
/** Faults are found in two seconds or not at all: the fixture without a fault needs less than one. */
const FAULT_SCALE = 0.2;
const FAULTS_AT_ONCE = 3;
const ATTEMPTS = 3;

interface Fault {
  readonly fault: string;
  readonly 'found-by': string;
  readonly section: string;
}

const faults = JSON.parse(readFileSync(join(suite, 'fixtures/host.faults.json'), 'utf8')) as readonly Fault[];

/** Runs the suite on an adapter. */
const run = (adapter: string) =>
  testHost({ command: [process.execPath, adapter], adapter: true, cases: selectCases('host') });

/** Returns the results that are not successes, as lines for the output of a failed test. */
const problems = (results: readonly CaseResult[]) =>
  results
    .filter(({ verdict }) => verdict !== 'passed')
    .map(
      ({ id, verdict, reason, failures }) =>
        `${verdict} ${id} ${reason ?? failures.map(({ message }) => message).join(' ')}`,
    );

describe('conformance of hosts', () => {
  test('our host passes every case', { timeout: 120_000 }, async () => {
    expect(problems(await run(join(here, 'adapters/host.mjs')))).toEqual([]);
  });

  test('the host in plain JavaScript passes every case', { timeout: 120_000 }, async () => {
    expect(problems(await run(FIXTURE))).toEqual([]);
  });

  test('the published SDK fails nothing but what is on its list', { timeout: 120_000 }, async () => {
    const started = performance.now();
    const results = await run(join(here, 'adapters/typescript-sdk.mjs'));
    const expected = parseBaseline(readFileSync(join(suite, 'baselines/typescript-sdk.yaml'), 'utf8'));
    const report = createReport(
      { program: 'TypeScript SDK', side: 'host', ms: performance.now() - started, results },
      expected,
    );
    expect({ ...report.counts, stale: report.stale }).toMatchObject({ failed: 0, warned: 0, errors: 0, stale: [] });
    expect(exitCodeOf(report, true)).toBe(0);
  });

  test('each fault of the host in plain JavaScript is found by its case', { timeout: 1_200_000 }, async () => {
    const missed: string[] = [];
    const left = [...faults];
    const work = async () => {
      for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
        let problem = problemOf((await tryFault(fault))[0]);
        // On a busy machine the system may deliver the end of the input before a signal that was sent first.
        for (let times = 1; problem !== undefined && times < ATTEMPTS; times += 1)
          problem = problemOf((await tryFault(fault))[0]);
        if (problem !== undefined) missed.push(`${fault.fault}: ${fault['found-by']} ${problem}`);
      }
    };
    await Promise.all(Array.from({ length: FAULTS_AT_ONCE }, work));
    expect(missed).toEqual([]);
    expect(faults.length).toBeGreaterThanOrEqual(40);
  });

  test('every fault exists in the fixture, and cites a section', () => {
    const sources = ['host.mjs', 'host-lines.mjs', 'host-requests.mjs'].map((name) =>
      readFileSync(join(suite, 'fixtures', name), 'utf8'),
    );
    const switches = new Set(sources.join('\n').match(/(?<=isFaulty\(')[a-z0-9-]+/g));
    // If the name of a fault depends on a condition, the name is a separate argument.
    const named = faults.map(({ fault }) => fault);
    expect([...switches].filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !sources.join('\n').includes(`'${name}'`))).toEqual([]);
    expect(faults.filter(({ section }) => !/^[1-9]\.\d+$/.test(section))).toEqual([]);
  });
});

function tryFault({ fault, 'found-by': id }: Fault): Promise<CaseResult[]> {
  return testHost({
    command: ['env', `SJP_FIXTURE_FAULT=${fault}`, process.execPath, FIXTURE],
    adapter: true,
    cases: selectCases('host', [id]),
    timeoutScale: FAULT_SCALE,
  });
}

/** Returns why a result does not show that the fault was found, or undefined. */
function problemOf(result: CaseResult | undefined): string | undefined {
  if (result === undefined) return 'does not exist';
  if (result.verdict !== 'failed' && result.verdict !== 'warned') return result.verdict;
  // No fault prevents the fixture from starting its agent.
  const isSlow = result.failures.some(({ message }) => message.includes('did not start the agent'));
  return isSlow ? 'did not start in time' : undefined;
}
