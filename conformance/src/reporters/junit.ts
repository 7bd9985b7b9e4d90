import type { CaseResult, Report } from '../results/result.ts';
import { brokenRequirement, sectionOf, whatFailed } from './places.ts';

/** Returns JUnit XML: one suite per subject, and one test case per case. */
export function junit(report: Report): string {
  const subjects = new Map<string, CaseResult[]>();
  for (const result of report.results) {
    const subject = subjectOf(result);
    subjects.set(subject, [...(subjects.get(subject) ?? []), result]);
  }
  const suites = [...subjects].map(([subject, results]) => suite(subject, results));
  const { counts } = report;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="stream-json ${escape(report.spec)} ${report.side}" tests="${report.results.length}" failures="${counts.failed}" errors="${counts.errors}" skipped="${counts.notDeclared + counts.expectedFailures}" time="${report.ms / 1000}">
${suites.join('\n')}
</testsuites>
`;
}

function suite(subject: string, results: readonly CaseResult[]): string {
  const count = (passes: (result: CaseResult) => boolean) => results.filter(passes).length;
  const failures = count(({ verdict, expectedBecause }) => verdict === 'failed' && expectedBecause === undefined);
  const skipped = count((result) => result.verdict === 'not-declared' || result.expectedBecause !== undefined);
  const errors = count(({ verdict }) => verdict === 'error');
  return `  <testsuite name="${escape(subject)}" tests="${results.length}" failures="${failures}" errors="${errors}" skipped="${skipped}">
${results.map(testCase).join('\n')}
  </testsuite>`;
}

function testCase(result: CaseResult): string {
  const section = sectionOf(result.spec[0] ?? '');
  const open = `    <testcase classname="${escape(subjectOf(result))}" name="${escape(result.id)}" time="${result.ms / 1000}"`;
  const inner = innerOf(result, section);
  return inner === '' ? `${open}/>` : `${open}>${inner}</testcase>`;
}

function innerOf(result: CaseResult, section: string): string {
  const text = result.failures.map((failure) => `${brokenRequirement(failure)}\n${whatFailed(failure)}`).join('\n');
  if (result.expectedBecause !== undefined)
    return `<skipped message="${escape(`expected to fail: ${result.expectedBecause}`)}"/>`;
  if (result.verdict === 'not-declared')
    return `<skipped message="${escape(`not declared: ${result.reason ?? ''}`)}"/>`;
  if (result.verdict === 'error') return `<error message="${escape(result.reason ?? 'error of the suite')}"/>`;
  if (result.verdict === 'failed')
    return `<failure type="section ${escape(section)}" message="${escape(result.title)}">${escape(text)}</failure>`;
  return result.verdict === 'warned' ? `<system-out>${escape(`warning: ${text}`)}</system-out>` : '';
}

function subjectOf({ id }: CaseResult): string {
  return id.split('/').slice(0, 2).join('/');
}

/** XML 1.0 cannot express most control characters or lone surrogates. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
