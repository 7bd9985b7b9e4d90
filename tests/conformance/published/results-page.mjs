/** @typedef {{ name: string, side: string, how: string, report: import('@proto/conformance').Report }} Done */

/** The page of the results, in Markdown. @param {readonly Done[]} done */
export function resultsPage(done) {
  return `# Conformance of published programs

Written by \`pnpm conformance:published\`, which runs [the suite](conformance.md) on our own programs and on published ones, without a network. Specification ${done[0]?.report.spec}.

| Program | Side | Passed of the MUST cases that apply | Warnings | Not declared | Known deviations | Seconds |
|---|---|---:|---:|---:|---:|---:|
${done.map(row).join('\n')}

A case that a program has not declared does not apply to it. A known deviation is a case that fails for the reason below, which is a fact about the wire of this program.
${done.map(deviations).join('')}`;
}

/** @param {Done} done */
function row({ name, side, how, report }) {
  const { must, counts, ms } = report;
  const cells = [
    `${name}, ${how}`,
    side,
    `${must.passed} of ${must.applied}`,
    counts.warned,
    counts.notDeclared,
    counts.expectedFailures,
  ];
  return `| ${[...cells, Math.round(ms / 1000)].join(' | ')} |`;
}

/** @param {Done} done */
function deviations({ name, report }) {
  const lines = report.results.flatMap(({ id, spec, verdict, expectedBecause, failures }) => {
    if (expectedBecause !== undefined) return [`| \`${id}\` | ${spec[0]} | ${expectedBecause} |`];
    if (verdict === 'warned')
      return [`| \`${id}\` | ${failures[0]?.spec} | warning: ${cell(failures[0]?.message ?? '')} |`];
    return verdict === 'failed'
      ? [`| \`${id}\` | ${failures[0]?.spec} | **fails**: ${cell(failures[0]?.message ?? '')} |`]
      : [];
  });
  return lines.length === 0
    ? ''
    : `\n## ${name}\n\n| Case | Requirement | What is known |\n|---|---|---|\n${lines.join('\n')}\n`;
}

/** @param {string} text */
function cell(text) {
  const short = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  return short.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
