import { coverage } from './coverage.ts';
import { planned } from './planned.ts';
import { reportText } from './report-text.ts';
import { findResults, readResults } from './results.ts';
import { documents } from './rows.ts';

/** What the report command prints, and its exit code. */
export interface Report {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

/**
 * Compares the rows with the test results in the workspace at `root`. Arguments: `--rows` lists every row with how it stands, `--json` prints the
 * report as data, `--partial` says that only some of the tests were run, so that a row without a test is no problem.
 */
export function report(root: string, args: readonly string[]): Report {
  const outcomes = findResults(root).flatMap((file) => readResults(root, file));
  const { documents: standings, problems: found } = coverage(documents, planned, outcomes);
  const problems = args.includes('--partial') ? found.filter(({ rule }) => rule !== 'uncovered') : found;
  const result = { documents: standings, problems };
  return {
    output: args.includes('--json')
      ? JSON.stringify(result, null, 2)
      : reportText(result, documents, args.includes('--rows')),
    exitCode: result.problems.length === 0 ? 0 : 1,
  };
}
