import type { Case } from '../../cases/case-schema.ts';
import { compareRuns } from '../../random/compare-runs.ts';
import type { Facts } from '../../random/facts.ts';
import type { Difference } from '../../results/result.ts';
import type { HostProgram } from '../host-program.ts';
import { type HostCaseOptions, runHostCase } from '../run-host-case.ts';
import { factsOfHost, type PlayedHost } from './host-facts.ts';

/** Two hosts that play the same sessions. */
export interface ComparedHosts {
  readonly tested: HostProgram;
  readonly other: HostProgram;
}

/** Compares a session that the host under test has played with other runs. Returns `undefined` if the other host cannot play the session. */
export function compareHosts(
  entry: Case,
  played: PlayedHost,
  { tested, other }: ComparedHosts,
  options: HostCaseOptions,
): Promise<readonly Difference[] | undefined> {
  return compareRuns(
    factsOfHost(played),
    () => play(entry, tested, options),
    () => play(entry, other, options),
  );
}

async function play(entry: Case, program: HostProgram, options: HostCaseOptions): Promise<Facts | undefined> {
  let facts: Facts | undefined;
  const onPlayed = (played: PlayedHost) => {
    facts = factsOfHost(played);
  };
  // A session that the suite cannot play is not compared.
  await runHostCase(entry, program, { ...options, traceFolder: undefined, onPlayed }).catch(() => undefined);
  return facts;
}
