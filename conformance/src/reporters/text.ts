import type { CaseResult, Report } from '../results/result.ts';
import { brokenRequirement, whatFailed } from './places.ts';

const MOST_SHOWN = 8;

const SIGNS = { passed: 'ok  ', failed: 'FAIL', warned: 'warn', 'not-declared': '-   ', error: 'ERR ' } as const;

/** Returns the lines that are written when a case ends: one line for the case, and for each problem the expected and the actual value. */
export function resultLines(result: CaseResult): string {
  const sign = result.expectedBecause === undefined ? SIGNS[result.verdict] : 'xpct';
  const lines = [`${sign} ${result.id} (${result.ms} ms)${result.reason === undefined ? '' : `: ${result.reason}`}`];
  if (result.expectedBecause !== undefined) lines.push(`       expected: ${result.expectedBecause}`);
  else if (result.failures.length > 0) lines.push(...failureLines(result));
  return `${lines.join('\n')}\n`;
}

/** Returns the text for the end of a run: the counts, the list of results that need attention, and the score. */
export function summary(report: Report): string {
  const { counts, must } = report;
  const parts = [
    `${counts.passed} passed`,
    `${counts.failed} failed`,
    `${counts.warned} warnings`,
    `${counts.notDeclared} not declared`,
    ...(counts.expectedFailures > 0 ? [`${counts.expectedFailures} failed as expected`] : []),
    ...(counts.errors > 0 ? [`${counts.errors} errors of the suite`] : []),
  ];
  const rules = report.expectedRules.map(
    ({ rule, cases, reason }) =>
      `broken as expected in ${cases} ${cases === 1 ? 'case' : 'cases'}: rule ${rule}: ${reason}\n`,
  );
  const stale = report.stale.map((entry) => `stale: ${entry}\n`).join('');
  return `${mostBroken(report)}${rules.join('')}${stale}${parts.join(', ')}; ${(report.ms / 1000).toFixed(1)} s
${must.passed} of ${must.applied} cases of level MUST that apply: ${report.score} % of specification ${report.spec}
`;
}

function failureLines(result: CaseResult): string[] {
  const lines = [`     ${result.title}`];
  for (const failure of result.failures) {
    lines.push(`     ${brokenRequirement(failure)}`, `       ${whatFailed(failure)}`);
  }
  if (result.trace !== undefined) lines.push(`       trace: ${result.trace}`);
  if (result.shrunk !== undefined) lines.push(`       shortest session: ${result.shrunk} (run it alone with --cases)`);
  return lines;
}

/**
 * Lists the requirements that are broken in the most cases. One mistake often breaks many cases, so these requirements are the best place to start.
 */
function mostBroken({ results }: Report): string {
  const wrong = results.filter(({ verdict, expectedBecause }) => verdict === 'failed' && expectedBecause === undefined);
  const cases = new Map<string, string[]>();
  for (const { id, failures } of wrong) {
    for (const spec of new Set(failures.filter(({ level }) => level === 'must').map((failure) => failure.spec)))
      cases.set(spec, [...(cases.get(spec) ?? []), id]);
  }
  // The lines above the summary show the same, unless there are many.
  if (wrong.length < 4) return '';
  const rows = [...cases].toSorted(([, a], [, b]) => b.length - a.length);
  const lines = rows
    .slice(0, MOST_SHOWN)
    .map(
      ([spec, ids]) =>
        `  ${String(ids.length).padStart(3)} ${ids.length === 1 ? 'case ' : 'cases'} ${brokenRequirement({ spec })}\n`,
    );
  const rest = rows.length > MOST_SHOWN ? `  … and ${rows.length - MOST_SHOWN} more\n` : '';
  return `\nBroken requirements, the one that breaks most cases first:\n${lines.join('')}${rest}\n`;
}
