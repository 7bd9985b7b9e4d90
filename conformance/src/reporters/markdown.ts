import { isUnexplained, ownFailures } from '../results/findings.ts';
import { type CaseResult, type Finding, needsAttention, type Report } from '../results/result.ts';
import { sectionOf, whatFailed } from './places.ts';
import { scoreText } from './text.ts';

/** Returns a Markdown page: the counts and the scores, the failures that several cases have in common, and a table of the other problems. */
export function markdown(report: Report): string {
  const { counts, findings } = report;
  const wrong = report.results.filter(needsAttention).filter((result) => isUnexplained(result, findings));
  const expected = report.results.filter(({ expectedBecause }) => expectedBecause !== undefined);
  return `## Conformance of ${code(report.program)} as ${report.side}

${scoreLine(report)}
${report.notes.map((note) => `\n${cell(note)}\n`).join('')}
| passed | failed | warnings | not declared | failed as expected | errors of the suite |
|---|---|---|---|---|---|
| ${counts.passed} | ${counts.failed} | ${counts.warned} | ${counts.notDeclared} | ${counts.expectedFailures} | ${counts.errors} |
${section(
  'Profiles',
  ['Profile', 'Score'],
  report.profiles.map(({ profile, ...score }) => [profile, scoreText(score)]),
)}${section(
  'Common to several cases',
  ['Cases', 'Section', 'What happened', 'First case'],
  findings.map((finding) => [
    String(finding.cases.length),
    placeOf(finding),
    whatFailed(finding),
    code(finding.cases[0] ?? ''),
  ]),
)}${section(
  'What is wrong',
  ['Case', 'Verdict', 'Section', 'What happened'],
  wrong.map((result) => wrongRow(result, findings)),
)}${section(
  'Failed as expected',
  ['Case', 'Reason'],
  expected.map((result) => [code(result.id), result.expectedBecause ?? '']),
)}${section(
  'Rules that were broken as expected',
  ['Rule', 'Cases', 'Reason'],
  report.expectedRules.map(({ rule, cases, reason }) => [code(rule), String(cases), reason]),
)}${report.stale.length === 0 ? '' : `\n### Stale entries of the list of expected failures\n\n${report.stale.map((entry) => `- ${entry}`).join('\n')}\n`}`;
}

function scoreLine({ spec, scope, must, score }: Report): string {
  const part = scope === 'suite' || scope === 'part' ? '' : `, profile ${scope}`;
  const share = score === undefined ? (scope === 'part' ? '. Partial run: no score.' : '.') : ` (${score} %).`;
  return `Specification ${spec}${part}: **${must.passed} of ${must.applied}** MUST cases passed${share}`;
}

function wrongRow(result: CaseResult, findings: readonly Finding[]): string[] {
  const [failure] = ownFailures(result, findings);
  if (failure === undefined) return [code(result.id), result.verdict, '', result.reason ?? ''];
  return [code(result.id), result.verdict, placeOf(failure), whatFailed(failure)];
}

function placeOf({ spec }: Pick<Finding, 'spec'>): string {
  return `${sectionOf(spec)} (${spec})`;
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
