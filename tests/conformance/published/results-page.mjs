import { findRequirement } from '@proto/conformance';

/** @typedef {{ name: string, side: string, how: string, report: import('@proto/conformance').Report }} Done */
/** @typedef {import('./remote-clients.mjs').ClientResult} ClientResult */

/**
 * The page of the results, in Markdown.
 * @param {readonly Done[]} done
 * @param {readonly ClientResult[]} clients
 */
export function resultsPage(done, clients) {
  return `# Conformance of published programs

Written by \`pnpm conformance:published\`, which runs [the suite](conformance.md) on our own programs and on published ones, without a network. Specification ${done[0]?.report.spec}.

- [The suite](#the-suite)
- [Clients of remote sessions](#clients-of-remote-sessions)
- [Known deviations](#known-deviations)

## The suite

| Program | Side | Passed of the MUST cases that apply | Unexplained failures | Known deviations | Warnings | Not declared | Seconds |
|---|---|---:|---:|---:|---:|---:|---:|
${done.map(row).join('\n')}

A case that a program has not declared does not apply to it. A known deviation is a case that fails for a reason that is a recorded fact about the wire of this version; the reasons are [below](#known-deviations). The run fails when a case fails
without such a reason, and when a case with a reason passes, so the column of unexplained failures has to be 0 in every row. A rule that a version is known to break in many cases is listed once, and is not counted in its cases.

Older versions of Claude Code are here because they are the last ones that run on Node (2.1.112) and that connect to servers other than their vendor's (2.1.120). Version 2.1.318 of the agent and 0.3.318 of the SDK are those that the published adapter
of the Agent Client Protocol brings (\`claude-agent-acp\` 0.101.0). The specification describes newer versions, so the deviations of an older one are mostly features that came later.

## Clients of remote sessions

The clients that the vendor publishes for remote sessions are neither agents nor hosts of the suite: they speak to a server. Each of them ran against \`sjp serve\` through a proxy, which noted what the client sent, refused some of its requests, added
odd frames to its streams and cut them. The other side of the session sent plain requests. A row says which requirements of the client's role this run shows; requirements that need longer than some seconds, such as the times of heartbeats, are not among them.

| Client | Role | Way | Kept of the requirements seen | Requirements |
|---|---|---|---:|---|
${clients.map(clientRow).join('\n')}

## Known deviations
${done.map(deviations).join('')}`;
}

/** @param {Done} done */
function row({ name, side, how, report }) {
  const { must, counts, ms } = report;
  const cells = [
    `${name}, ${how}`,
    side,
    `${must.passed} of ${must.applied}`,
    counts.failed,
    counts.expectedFailures,
    counts.warned,
    counts.notDeclared,
  ];
  return `| ${[...cells, Math.round(ms / 1000)].join(' | ')} |`;
}

/** @param {ClientResult} client */
function clientRow({ name, role, how, seen }) {
  const kept = seen.filter(({ isKept }) => isKept).length;
  const ids = seen.map(({ id, isKept }) => (isKept ? id : `**${id} is not kept**`)).toSorted();
  return `| ${name} | ${role} | ${how} | ${kept} of ${seen.length} | ${ids.join(', ')} |`;
}

/** What a program does otherwise, one line for each reason. @param {Done} done */
function deviations({ name, report }) {
  /** @type {Map<string, string[]>} */
  const cases = new Map(
    report.expectedRules.map(({ rule, cases: count, reason }) => [
      cell(reason),
      [`the rule \`${rule}\` in ${count} cases`],
    ]),
  );
  for (const { id, spec, verdict, expectedBecause, failures } of report.results) {
    const broken = failures[0]?.spec ?? spec[0] ?? '';
    const place = `\`${id}\` (${broken}, ${findRequirement(broken)?.section})`;
    const message = cell(failures[0]?.message ?? '');
    const unexplained = verdict === 'warned' ? `warning: ${message}` : `**fails**: ${message}`;
    if (expectedBecause === undefined && verdict !== 'warned' && verdict !== 'failed') continue;
    const why = expectedBecause === undefined ? unexplained : cell(expectedBecause);
    cases.set(why, [...(cases.get(why) ?? []), place]);
  }
  const lines = Array.from(cases, ([why, places]) => `| ${why} | ${places.join(', ')} |`);
  return lines.length === 0
    ? ''
    : `\n### ${name}\n\n| What is known | Cases, with the requirement that fails and its section |\n|---|---|\n${lines.join('\n')}\n`;
}

/** @param {string} text */
function cell(text) {
  const short = text.length > 400 ? `${text.slice(0, 400)}…` : text;
  return short.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
