import type { Level } from '../cases/case-schema.ts';
import { isUnexplained, ownFailures } from '../results/findings.ts';
import { type Failure, needsAttention, type Report } from '../results/result.ts';
import { brokenRequirement, whatFailed } from './places.ts';
import { summary } from './text.ts';

/**
 * Returns annotations for a GitHub workflow: an error or warning for each failure that several cases have in common and for each other case with a
 * problem, then the counts.
 */
export function github(report: Report): string {
  const { findings } = report;
  const common = findings.map((finding) => annotation(`${finding.cases.length} cases`, finding.level, textOf(finding)));
  const annotations = report.results
    .filter(needsAttention)
    .filter((result) => isUnexplained(result, findings))
    .map((result) => {
      const [failure] = ownFailures(result, findings);
      const level = result.verdict === 'warned' ? 'should' : 'must';
      return annotation(result.id, level, failure === undefined ? (result.reason ?? '') : textOf(failure));
    });
  const stale = report.stale.map((entry) => `::error title=stale entry::${escapeData(entry)}\n`);
  return [...common, ...annotations, ...stale, summary(report)].join('');
}

function textOf(failure: Pick<Failure, 'spec' | 'rule' | 'message'>): string {
  return `${brokenRequirement(failure)}\n${whatFailed(failure)}`;
}

function annotation(title: string, level: Level, text: string): string {
  return `::${level === 'must' ? 'error' : 'warning'} title=${escapeProperty(title)}::${escapeData(text)}\n`;
}

/** Escapes text from the program under test, so that the text cannot end the command or begin a new command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
