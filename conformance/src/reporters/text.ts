import { commonKey, ownFailures } from '../results/findings.ts';
import type { CaseResult, Finding, Report } from '../results/result.ts';
import { comparisonLines } from './comparison.ts';
import { brokenRequirement, whatFailed } from './places.ts';

const MOST_SHOWN = 8;

const SIGNS = { passed: 'ok  ', failed: 'FAIL', warned: 'warn', 'not-declared': '-   ', error: 'ERR ' } as const;

/**
 * Returns the lines that are written when a case ends: one line for the case, and for each problem the expected and the actual value. A broken rule
 * that is in `shown` is only named, and each other broken rule is added to `shown`.
 */
export function resultLines(result: CaseResult, shown: Set<string> = new Set()): string {
  const sign = result.expectedBecause === undefined ? SIGNS[result.verdict] : 'xpct';
  const lines = [`${sign} ${result.id} (${result.ms} ms)${result.reason === undefined ? '' : `: ${result.reason}`}`];
  if (result.expectedBecause !== undefined) lines.push(`       expected: ${result.expectedBecause}`);
  else if (result.failures.length > 0) lines.push(...failureLines(result, shown));
  return `${lines.join('\n')}\n`;
}

export function summary(report: Report): string {
  const { counts } = report;
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
  const notes = report.notes.map((note) => `${note}\n`).join('');
  return `${findingLines(report.findings)}${mostBroken(report)}${comparisonLines(report)}${rules.join('')}${stale}${notes}${parts.join(', ')}; ${(report.ms / 1000).toFixed(1)} s
${report.profiles.map(profileLine).join('')}${wholeLine(report)}`;
}

/** The score of a profile, such as `90 of 92 MUST cases: 97 %`. */
export function scoreText({ must, score }: Pick<Report, 'must' | 'score'>): string {
  const notDeclared = must.all - must.applied;
  if (score === undefined) return `no score, because only ${must.applied} of ${must.all} MUST cases apply`;
  return `${passedOf(must)}: ${score} %${notDeclared === 0 ? '' : `, ${notDeclared} not declared`}`;
}

function profileLine({ profile, ...score }: Report['profiles'][number]): string {
  return `${profile.padEnd(11)} ${scoreText(score)}\n`;
}

function wholeLine({ scope, must, score, spec }: Report): string {
  if (scope === 'part') return `${passedOf(must)} that apply. Partial run: no score\n`;
  if (scope !== 'suite') return '';
  return score === undefined
    ? 'No MUST case applies: no score\n'
    : `${passedOf(must)} that apply: ${score} % of specification ${spec}\n`;
}

function passedOf({ passed, applied }: Report['must']): string {
  return `${passed} of ${applied} MUST cases`;
}

function failureLines(result: CaseResult, shown: Set<string>): string[] {
  const repeated = result.failures.filter((failure) => shown.has(commonKey(failure) ?? ''));
  const lines = repeated.length === result.failures.length ? [] : [`     ${result.title}`];
  for (const failure of result.failures) {
    const key = commonKey(failure);
    if (repeated.includes(failure)) lines.push(`       again: ${key}`);
    else lines.push(`     ${brokenRequirement(failure)}`, `       ${whatFailed(failure)}`);
    if (key !== undefined) shown.add(key);
  }
  if (result.trace !== undefined) lines.push(`       trace: ${result.trace}`);
  if (result.shrunk !== undefined) lines.push(`       shortest session: ${result.shrunk} (run it alone with --cases)`);
  return lines;
}

function findingLines(findings: readonly Finding[]): string {
  if (findings.length === 0) return '';
  const lines = findings.map(
    (finding) =>
      `  ${finding.cases.length} cases (${finding.alone} failed only because of this): ${brokenRequirement(finding)}
      ${whatFailed(finding)} (${finding.cases[0]})\n`,
  );
  return `\nCommon to several cases, the most frequent first:\n${lines.join('')}\n`;
}

/** One mistake often breaks many cases, so the requirements that are broken in the most cases are the best place to start. */
function mostBroken({ results, findings }: Report): string {
  const wrong = results.filter(
    (result) =>
      result.verdict === 'failed' &&
      result.expectedBecause === undefined &&
      ownFailures(result, findings).some(({ level }) => level === 'must'),
  );
  const cases = new Map<string, string[]>();
  for (const result of wrong) {
    const must = ownFailures(result, findings).filter(({ level }) => level === 'must');
    for (const spec of new Set(must.map((failure) => failure.spec)))
      cases.set(spec, [...(cases.get(spec) ?? []), result.id]);
  }
  // If only a few cases are wrong, the lines above the summary already show their requirements.
  if (wrong.length < 4) return '';
  const rows = [...cases].toSorted(([, a], [, b]) => b.length - a.length);
  const lines = rows
    .slice(0, MOST_SHOWN)
    .map(
      ([spec, ids]) =>
        `  ${String(ids.length).padStart(3)} ${ids.length === 1 ? 'case ' : 'cases'} ${brokenRequirement({ spec })}\n`,
    );
  const rest = rows.length > MOST_SHOWN ? `  … and ${rows.length - MOST_SHOWN} more\n` : '';
  return `\nBroken requirements, the most frequent first:\n${lines.join('')}${rest}\n`;
}
