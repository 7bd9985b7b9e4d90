import type { Case } from '../cases/case-schema.ts';
import type { CaseResult } from '../results/result.ts';
import { type FailedSession, Shrinker } from '../random/random-sessions.ts';
import { MOST_FAILED_SESSIONS, runCases } from '../run/run-cases.ts';
import { ProgramNotStarted, type TestOptions } from '../run/test-options.ts';
import { createAdapterProgram } from './adapter-program.ts';
import { createCommandProgram } from './command-program.ts';
import type { HostProgram } from './host-program.ts';
import { compareHosts } from './random/compare-hosts.ts';
import { generateHostSessions, isPlayable, SIMPLER_HOST_STARTS } from './random/generate-session.ts';
import type { PlayedHost } from './random/host-facts.ts';
import { type HostCaseOptions, type HostOutcome, runHostCase } from './run-host-case.ts';

/**
 * How many cases of a host run at a time by default. This can be more than the number of processors, because several cases only wait for time to
 * pass.
 */
const DEFAULT_HOST_JOBS = 6;

// A program that has not started the agent in this many cases is not a host, or has the wrong command line.
const MAX_SILENT_CASES = 6;

/** A host to test. `jobs` is 6 by default. */
export interface TestHostOptions extends TestOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Whether the program speaks the adapter protocol. Default false: the program is started once per case. */
  readonly adapter?: boolean;
  /** The features of a program without the adapter protocol, by the names in docs/conformance-hosts.md. Default: only prompts. */
  readonly features?: readonly string[];
  /**
   * Another host, with the same form and the same features, with which generated sessions are compared. Each session runs two or three times on each host, and the
   * results contain what the hosts did differently. A difference does not change a verdict.
   */
  readonly compareWith?: readonly string[];
}

/**
 * Tests a host by acting as the agent that it starts. If the host does not declare what a case needs, the case gets the verdict `not-declared`.
 *
 * @throws {@link ProgramNotStarted} if an adapter does not answer `init`, or the program does not start the agent in any of the first 6 cases.
 */
export async function testHost(options: TestHostOptions): Promise<CaseResult[]> {
  const { command, random, jobs = DEFAULT_HOST_JOBS, timeoutScale = 1, traceFolder, onResult } = options;
  const givenUp = new AbortController();
  const signal = AbortSignal.any([givenUp.signal, ...(options.signal ? [options.signal] : [])]);
  const program = await openProgram(command, options);
  const other = random && options.compareWith && (await openOther(options.compareWith, options, program));
  const cases = random === undefined ? options.cases : generateHostSessions(random, program.features);
  let hasStarted = false;
  let silentCases = 0;
  const onStart = () => {
    hasStarted = true;
  };
  const shrinker = new Shrinker(traceFolder, random?.knownRules);
  const runCase = async (entry: Case) => {
    const run = { timeoutScale, traceFolder, signal, onStart };
    const outcome = await runCompared(entry, program, other, run);
    if (outcome.verdict !== 'not-declared') silentCases += 1;
    if (!hasStarted && silentCases >= MAX_SILENT_CASES)
      givenUp.abort(
        new ProgramNotStarted(
          `The program did not start the agent in ${silentCases} cases. ${outcome.failures[0]?.message ?? ''}`,
        ),
      );
    if (random === undefined || outcome.failures.length === 0) return outcome;
    const shrunk = await shrinker.shrink(failedSession(entry, outcome, program, run));
    if (shrunk === undefined) return outcome;
    return { ...outcome, failures: [...shrunk.causes, ...outcome.failures], shrunk: shrunk.path };
  };
  try {
    return await runCases({
      cases,
      jobs,
      runCase,
      ...(random && { mostFailed: MOST_FAILED_SESSIONS, knownRules: random.knownRules ?? [] }),
      ...(onResult && { onResult }),
      signal,
    });
  } finally {
    program.close();
    other?.close();
  }
}

async function openProgram(
  command: readonly string[],
  { adapter = false, features, timeoutScale }: TestHostOptions,
): Promise<HostProgram> {
  return adapter ? createAdapterProgram(command, timeoutScale) : createCommandProgram(command, new Set(features));
}

/** If the other host does not start, the host under test is closed. */
async function openOther(
  command: readonly string[],
  options: TestHostOptions,
  program: HostProgram,
): Promise<HostProgram> {
  try {
    return await openProgram(command, options);
  } catch (error) {
    program.close();
    throw error;
  }
}

async function runCompared(
  entry: Case,
  program: HostProgram,
  other: HostProgram | undefined,
  run: HostCaseOptions,
): Promise<HostOutcome> {
  let played: PlayedHost | undefined;
  const onPlayed = (session: PlayedHost) => {
    played = session;
  };
  const outcome = await runHostCase(entry, program, { ...run, onPlayed });
  if (other === undefined || played === undefined) return outcome;
  const differences = await compareHosts(entry, played, { tested: program, other }, run);
  return differences === undefined ? outcome : { ...outcome, differences };
}

function failedSession(
  entry: Case,
  { failures }: HostOutcome,
  program: HostProgram,
  options: HostCaseOptions,
): FailedSession {
  return {
    entry,
    failures,
    run: async (shorter) => {
      if (!isPlayable(shorter)) return [];
      // A step may need a message that an earlier step has bound.
      const again = await runHostCase(shorter, program, { ...options, traceFolder: undefined }).catch(() => undefined);
      return again?.failures ?? [];
    },
    simpler: SIMPLER_HOST_STARTS,
  };
}
