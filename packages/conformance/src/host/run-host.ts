import { selectCases } from '../cases/suite.ts';
import type { ExpectedFailure } from '../results/baseline.ts';
import { createReport } from '../results/report.ts';
import type { CaseResult, Report } from '../results/result.ts';
import { runCases } from '../run/run-cases.ts';
import { createAdapterProgram } from './adapter-program.ts';
import { createCommandProgram } from './command-program.ts';
import { runHostCase } from './run-host-case.ts';

/** How many cases run at once by default. Several cases wait for a clock and not for a processor. */
export const DEFAULT_HOST_JOBS = 6;

/** A host to test. */
export interface HostOptions {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Whether the program speaks the adapter protocol. Else it is started once a case. */
  readonly adapter?: boolean;
  /** What a program without the adapter protocol can do, by the names of docs/conformance-hosts.md. Default: nothing but prompts. */
  readonly features?: readonly string[];
  /** The cases to run: see `selectCases`. Default: all. */
  readonly include?: readonly string[];
  readonly expected?: readonly ExpectedFailure[];
  /** How many cases run at once. Default 6. */
  readonly jobs?: number;
  /** Every time limit is multiplied by this number. Default 1. */
  readonly timeoutScale?: number;
  readonly onResult?: (result: CaseResult) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs the cases of hosts.
 *
 * @throws {@link HostProgramError} if an adapter does not answer `init`.
 */
export async function runHost(options: HostOptions): Promise<Report> {
  const { command, include, expected, jobs = DEFAULT_HOST_JOBS, timeoutScale = 1, onResult, signal } = options;
  const started = performance.now();
  const program = options.adapter
    ? await createAdapterProgram(command, timeoutScale)
    : createCommandProgram(command, new Set(options.features));
  try {
    const results = await runCases({
      cases: selectCases('host', include),
      jobs,
      runCase: (entry) => runHostCase(entry, program, timeoutScale),
      ...(onResult && { onResult }),
      ...(signal && { signal }),
    });
    const ms = performance.now() - started;
    return createReport({ program: program.description, side: 'host', ms, results }, expected);
  } finally {
    program.close();
  }
}
