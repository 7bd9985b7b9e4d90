import { type CaseResult, needsAttention, type Report } from '../results/result.ts';
import { brokenRequirement, whatFailed } from './places.ts';
import { summary } from './text.ts';

/** Returns annotations for a GitHub workflow: an error or warning for each case with a problem, then the counts. */
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

/** Escapes text from the program under test, so that the text cannot end the command or begin a new command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
