/** What became of one case: it ran, or it was left out for that reason. */
export interface CaseOutcome {
  readonly point: number;
  readonly skipped?: string;
}

/** One line that tells which points of the contract were shown, wholly or in part, and why others were not. */
export function summarize(name: string, outcomes: readonly CaseOutcome[]): string {
  const points = [...new Set(outcomes.map(({ point }) => point))].sort((a, b) => a - b);
  const run: string[] = [];
  const inPart: string[] = [];
  const skipped: string[] = [];
  for (const point of points) {
    const cases = outcomes.filter((outcome) => outcome.point === point);
    const reasons = new Set(cases.flatMap((outcome) => outcome.skipped ?? []));
    const why = `${point} (${[...reasons].join('; ')})`;
    if (cases.every((outcome) => outcome.skipped !== undefined)) {
      skipped.push(why);
      continue;
    }
    run.push(String(point));
    if (reasons.size > 0) inPart.push(why);
  }
  const parts = [`contract points run ${run.join(' ') || 'none'}`];
  if (inPart.length > 0) parts.push(`of which in part ${inPart.join(', ')}`);
  if (skipped.length > 0) parts.push(`skipped ${skipped.join(', ')}`);
  return `${name}: ${parts.join('; ')}`;
}
