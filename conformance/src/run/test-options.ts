import type { Case } from '../cases/case-schema.ts';
import type { CaseResult } from '../results/result.ts';

/** Options of the tests of all sides. `testAgent`, `testHost` and `testServer` add what they need to reach the program under test. */
export interface TestOptions {
  /** The cases to run, for example from `selectCases`. */
  readonly cases: readonly Case[];
  /** How many cases run at a time. Default: four for each processor, from 4 to 8; 6 for hosts; 2 for an agent that answers its first request after more than a second. */
  readonly jobs?: number;
  /** Every time limit is multiplied by this number. Default 1. */
  readonly timeoutScale?: number;
  /** A folder that gets a recording of each case, with the name of the case and `.jsonl`. */
  readonly traceFolder?: string;
  /** Called with each result, in the order of the cases' ends. */
  readonly onResult?: (result: CaseResult) => void;
  /** Aborting it ends the programs that were started, and rejects with the reason. */
  readonly signal?: AbortSignal;
}

/** The program under test did not start, or cannot be reached: no case can be run. */
export class ProgramNotStarted extends Error {
  /** Always `ProgramNotStarted`, for programs that cannot use `instanceof`. */
  override readonly name = 'ProgramNotStarted';
}
