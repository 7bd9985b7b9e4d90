import type { Report } from '../results/result.ts';

/**
 * Returns the file that a badge service reads (the endpoint format of shields.io). It contains the score of the suite or of the profile that was run.
 * A run of another part of the suite has no score, and its badge says so.
 */
export function badge(report: Report): string {
  const { scope, spec, side } = report;
  const label = `stream-json ${spec} ${side}${scope === 'suite' || scope === 'part' ? '' : ` ${scope}`}`;
  return `${JSON.stringify({ schemaVersion: 1, label, ...faceOf(report) })}\n`;
}

function faceOf({ scope, must, profiles, score }: Report): { readonly message: string; readonly color: string } {
  if (score === undefined)
    return { message: scope === 'part' ? 'partial run: no score' : 'no case applied', color: 'lightgrey' };
  if (score < 100) return { message: `${must.passed}/${must.applied} MUST`, color: score >= 90 ? 'yellow' : 'red' };
  const scored = profiles.filter((profile) => profile.score !== undefined);
  const isWhole = scored.length === profiles.length;
  const names = isWhole ? '' : `: ${scored.map(({ profile }) => profile).join(', ')}`;
  return scored.length === 0
    ? { message: `${must.passed}/${must.all} MUST`, color: 'lightgrey' }
    : { message: `conforms${names}`, color: 'brightgreen' };
}
