import { coverage } from './coverage.ts';
import { planned } from './planned.ts';
import { reportText } from './report-text.ts';
import { findResults, readResults } from './results.ts';
import { documents } from './rows.ts';

/** What the report command prints, and the exit code it ends with. */
export interface Report {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

/**
 * Compares the rows with the test results found below `root`; `--json` among the arguments gives the form for programs. With `--partial`
 * only some of the tests were run, and a row without a test is no problem.
 */
export function report(root: string, args: readonly string[]): Report {
  const outcomes = findResults(root).flatMap((file) => readResults(root, file));
  const { documents: standings, problems: found } = coverage(documents, planned, outcomes);
  const problems = args.includes('--partial') ? found.filter(({ rule }) => rule !== 'uncovered') : found;
  const result = { documents: standings, problems };
  return {
    output: args.includes('--json') ? JSON.stringify(result, null, 2) : reportText(result),
    exitCode: result.problems.length === 0 ? 0 : 1,
  };
}
