import { findRequirement } from '@proto/conformance';

const PROFILES = ['core', 'sessions', 'permissions', 'hooks', 'mcp', 'remote'];

/** @typedef {import('./targets.mjs').Target & { report: import('@proto/conformance').Report }} Done */
/** @typedef {import('./remote-clients.mjs').ClientResult} ClientResult */

/**
 * The page of the results, in Markdown.
 * @param {readonly Done[]} done
 * @param {readonly ClientResult[]} clients
 */
export function resultsPage(done, clients) {
  const whole = done.filter(({ profile }) => profile === undefined);
  return `# Conformance of published programs

The command \`pnpm conformance:published\` writes this page. The command runs [the suite](conformance.md) on the programs of this project and on published programs, without a network. The programs are tested against the specification, version ${done[0]?.report.spec}.

- [The suite](#the-suite)
- [Profiles](#profiles)
- [Clients of remote sessions](#clients-of-remote-sessions)
- [Known deviations](#known-deviations)

## The suite

| Program | Side | Passed MUST cases, of the applicable MUST cases | Unexplained failures | Known deviations | Warnings | Cases not declared | Duration in seconds |
|---|---|---:|---:|---:|---:|---:|---:|
${whole.map(row).join('\n')}

If a program has not declared the feature that a case needs, the case does not apply to the program. A known deviation is a case that fails for a reason that is known and recorded for this version of the program. [Known deviations](#known-deviations) lists the reasons.
A warning means that a program does not meet a SHOULD requirement.
The run fails if a case fails without a known reason, or if a case that is listed as a known deviation passes. The number of unexplained failures must therefore be 0 in every row. If a version is known to break a rule in many cases, the rule is listed once and is not counted in these cases.

The table contains two older versions of Claude Code. Version 2.1.112 is the last version that runs on Node, and version 2.1.120 is the last version that connects to servers other than its vendor's. The published adapter for the Agent Client Protocol (\`claude-agent-acp\` 0.101.0)
contains version 2.1.318 of the agent and 0.3.318 of the SDK. The specification describes newer versions, so the deviations of an older version are mostly features that were added later.

## Profiles

Each row lists the passed MUST cases of each [profile](conformance.md#profiles), of the applicable MUST cases. A program without a number in a column was not tested with the cases of the profile, or the profile has no case for its side.

| Program | ${PROFILES.join(' | ')} |
|---|${PROFILES.map(() => '---:|').join('')}
${done.map(profilesOf).join('\n')}

${done
  .filter(({ profile }) => profile !== undefined)
  .map(commonFailures)
  .join('\n')}
## Clients of remote sessions

The suite cannot test the vendor's clients for remote sessions as agents or hosts, because they connect to a server. Each client ran against \`sjp serve\` through a proxy, which recorded what the client sent, refused some of its requests, added unusual frames to
its streams and interrupted the streams. The program on the other side of the session sent ordinary requests. Each row lists the requirements for the client's role that were checked in this run. Requirements that take more than a few seconds to check, such as the intervals between heartbeats, are not included.

| Client | Role | Transport | Requirements met, of the requirements checked | Checked requirements |
|---|---|---|---:|---|
${clients.map(clientRow).join('\n')}

## Known deviations
${whole.map(deviations).join('')}`;
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

/** @param {Done} done */
function profilesOf({ name, report }) {
  const scores = new Map(
    report.profiles.map(({ profile, must }) => [String(profile), `${must.passed} of ${must.applied}`]),
  );
  return `| ${[name, ...PROFILES.map((profile) => scores.get(profile) ?? '')].join(' | ')} |`;
}

/** What most cases of a program with a profile have in common. @param {Done} done */
function commonFailures({ name, how, profile, report }) {
  const lines = report.findings
    .filter(({ level }) => level === 'must')
    .map(
      ({ spec, message, cases }) =>
        `| ${spec} (${findRequirement(spec)?.section}) | ${cell(message)} | ${cases.length} |`,
    );
  return `${name} writes messages of the same kinds, but has a protocol that deviates from the specification. The program runs ${how}, with the cases of the profile ${profile}. Failures that at least 3 cases have in common:

| Requirement (section) | What is wrong in the first of the cases | Cases |
|---|---|---:|
${lines.join('\n')}
`;
}

/** @param {ClientResult} client */
function clientRow({ name, role, how, seen }) {
  const kept = seen.filter(({ isKept }) => isKept).length;
  const ids = seen.map(({ id, isKept }) => (isKept ? id : `**${id} is not met**`)).toSorted();
  return `| ${name} | ${role} | ${how} | ${kept} of ${seen.length} | ${ids.join(', ')} |`;
}

/** How a program deviates from the specification, with one line for each reason. @param {Done} done */
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
    const unexplained =
      verdict === 'warned' ? `Warning of the suite: ${message}` : `**Unexplained failure**: ${message}`;
    if (expectedBecause === undefined && verdict !== 'warned' && verdict !== 'failed') continue;
    const why = expectedBecause === undefined ? unexplained : cell(expectedBecause);
    cases.set(why, [...(cases.get(why) ?? []), place]);
  }
  const lines = Array.from(cases, ([why, places]) => `| ${why} | ${places.join(', ')} |`);
  return lines.length === 0
    ? ''
    : `\n### ${name}\n\n| Known deviation or warning | Cases (with the failed requirement and its section) |\n|---|---|\n${lines.join('\n')}\n`;
}

/** @param {string} text */
function cell(text) {
  const short = text.length > 400 ? `${text.slice(0, 400)}…` : text;
  return short.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
