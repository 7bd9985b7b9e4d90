import type { Difference } from '../results/result.ts';
import { differencesBetween } from './differences.ts';
import type { Facts } from './facts.ts';

/** Plays a session once. Returns `undefined` if a step of the session failed. */
export type PlaySession = () => Promise<Facts | undefined>;

/**
 * Plays a session for the second time on the program under test, and twice on the other program. `first` is what the program under test did in the
 * first run. Returns `undefined` if a step failed in any run, because the rest of that session was not played.
 */
export async function compareRuns(
  first: Facts,
  tested: PlaySession,
  other: PlaySession,
): Promise<readonly Difference[] | undefined> {
  const otherFirst = await other();
  const otherSecond = otherFirst && (await other());
  const second = otherSecond && (await tested());
  if (otherFirst === undefined || otherSecond === undefined || second === undefined) return undefined;
  return differencesBetween([first, second], [otherFirst, otherSecond]);
}
