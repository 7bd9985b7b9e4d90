import { type CaseResult, needsAttention, type Report } from '../results/result.ts';
import { brokenRequirement, whatFailed } from './places.ts';
import { summary } from './text.ts';

/** Annotations of a workflow of GitHub: an error or a warning for each case that is wrong, then the counts. */
export function github(report: Report): string {
  const annotations = report.results.filter(needsAttention).map(annotation);
  const stale = report.stale.map((entry) => `::error title=stale entry::${escapeData(entry)}\n`);
  return [...annotations, ...stale, summary(report)].join('');
}

function annotation(result: CaseResult): string {
  const level = result.verdict === 'warned' ? 'warning' : 'error';
  const [failure] = result.failures;
  const text = failure === undefined ? (result.reason ?? '') : `${brokenRequirement(failure)}\n${whatFailed(failure)}`;
  return `::${level} title=${escapeProperty(result.id)}::${escapeData(text)}\n`;
}

/** A text from the program under test cannot end the command or begin another one. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
