import type { Case } from '../cases/case-schema.ts';
import type { RandomSessions } from '../random/random-sessions.ts';
import type { CaseResult } from '../results/result.ts';

/** Options of the tests of all sides. `testAgent`, `testHost` and `testServer` add what they need to reach the program under test. */
export interface TestOptions {
  /** The cases to run, for example from `selectCases`. */
  readonly cases: readonly Case[];
  /**
   * Runs generated sessions instead of `cases`. If a session fails, the shortest session that fails in the same way is written to a case file, in
   * `traceFolder` or in the working directory.
   */
  readonly random?: RandomSessions;
  /**
   * How many cases run at a time. Default: 6 for hosts, 2 for an agent that needs more than a second to answer its first request, and otherwise four
   * per processor, but at least 4 and at most 8.
   */
  readonly jobs?: number;
  /** The factor by which every time limit is multiplied. Default 1. */
  readonly timeoutScale?: number;
  /** The folder in which a recording of each case is written. Each recording is named after its case, with the ending `.jsonl`. */
  readonly traceFolder?: string;
  /** Called with each result, in the order in which the cases end. */
  readonly onResult?: (result: CaseResult) => void;
  /** If this signal aborts, the started programs are ended, and the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Thrown if the program under test does not start or cannot be reached, so that no case can be run. */
export class ProgramNotStarted extends Error {
  /** Always `ProgramNotStarted`, for programs that cannot use `instanceof`. */
  override readonly name = 'ProgramNotStarted';
}
