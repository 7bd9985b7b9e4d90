import type { Report } from '../results/result.ts';

/** Returns the file that a badge service reads (the endpoint format of shields.io). It contains the score of the run. */
export function badge(report: Report): string {
  const failures = report.counts.failed + report.counts.errors;
  const isClean = failures === 0 && report.must.applied > 0;
  const color = isClean ? 'brightgreen' : report.score >= 90 ? 'yellow' : 'red';
  const message =
    isClean && report.counts.expectedFailures === 0 ? 'conforms' : `${report.must.passed}/${report.must.applied} MUST`;
  return `${JSON.stringify({ schemaVersion: 1, label: `stream-json ${report.spec} ${report.side}`, message, color })}\n`;
}
