import { type CaseResult, needsAttention, type Report } from '../results/result.ts';
import { sectionOf, whatFailed } from './places.ts';

/** Returns a Markdown page: the counts, and a table of the problems. */
export function markdown(report: Report): string {
  const { counts, must } = report;
  const wrong = report.results.filter(needsAttention);
  const expected = report.results.filter(({ expectedBecause }) => expectedBecause !== undefined);
  return `## Conformance of ${code(report.program)} as ${report.side}

Specification ${report.spec}: **${must.passed} of ${must.applied}** cases of level MUST passed (${report.score} %).

| passed | failed | warnings | not declared | failed as expected | errors of the suite |
|---|---|---|---|---|---|
| ${counts.passed} | ${counts.failed} | ${counts.warned} | ${counts.notDeclared} | ${counts.expectedFailures} | ${counts.errors} |
${section('What is wrong', ['Case', 'Verdict', 'Section', 'What happened'], wrong.map(wrongRow))}${section(
  'Failed as expected',
  ['Case', 'Reason'],
  expected.map((result) => [code(result.id), result.expectedBecause ?? '']),
)}${section(
  'Rules that were broken as expected',
  ['Rule', 'Cases', 'Reason'],
  report.expectedRules.map(({ rule, cases, reason }) => [code(rule), String(cases), reason]),
)}${report.stale.length === 0 ? '' : `\n### Stale entries of the list of expected failures\n\n${report.stale.map((entry) => `- ${entry}`).join('\n')}\n`}`;
}

function wrongRow(result: CaseResult): string[] {
  const [failure] = result.failures;
  const place = failure === undefined ? '' : `${sectionOf(failure.spec)} (${failure.spec})`;
  return [code(result.id), result.verdict, place, failure === undefined ? (result.reason ?? '') : whatFailed(failure)];
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return `\n### ${title}\n\n${[line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')}\n`;
}

/** Escapes text from the program under test, so that it stays plain text in a table. */
function cell(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
