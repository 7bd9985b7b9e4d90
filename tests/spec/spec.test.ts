/** Tests the checks of `pnpm spec`: each rule refuses a specification that breaks it, and the data follow from the text. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseMessage } from '@proto/core/messages';
import { afterEach, describe, expect, test } from 'vitest';

const { readSpec } = await import(new URL('../../scripts/spec/read-spec.mjs', import.meta.url).href);
const { withCounts } = await import(new URL('../../scripts/spec/counts.mjs', import.meta.url).href);
const script = fileURLToPath(new URL('../../scripts/spec.mjs', import.meta.url));

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

const RULE = '**FRM-1** (agent, host): The writer MUST end each line with LF. Seen: Claude Code 2.1.330.';
const PAGE = `# 1. Framing

This section says how bytes become lines. It holds for [both sides](#11-lines) and for [requests](03-control.md#31-requests).

## 1.1 Lines

${RULE}

### 1.1.1 Reading

**FRM-2** (host): The reader SHOULD accept \`MUST\` as text, however it is written. Ours: it is a word.

**FRM-3** (server): The server MUST NOT cut a line. Seen: Claude Code 2.1.112 (loses it, with its end), browser SDK 0.3.328. Published: browser SDK 0.3.328 declarations.

Example, from the host:

\`\`\`json
{"type":"user","message":{"role":"user","content":"Hello"},"parent_tool_use_id":null}
{"type":"keep_alive"}
\`\`\`

Example of a body:

\`\`\`json
{
  "events": []
}
\`\`\`

## 1.2 States

\`\`\`mermaid
stateDiagram-v2
  [*] --> open: the first byte
  open --> [*]
\`\`\`

\`\`\`mermaid
sequenceDiagram
  participant A as agent
  A->>B: a line
  Note over A,B: no answer
\`\`\`
`;

/** A folder with the page as the section on framing, and with other files. */
function folderOf(page: string, others: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'spec-'));
  folders.push(folder);
  mkdirSync(join(folder, 'spec'));
  for (const [name, text] of Object.entries({ '01-framing.md': page, ...others }))
    writeFileSync(join(folder, 'spec', name), text);
  return join(folder, 'spec');
}

/** The problems of a page, as `LINE: text`. */
function problemsOf(page: string, others?: Readonly<Record<string, string>>): readonly string[] {
  const { problems } = readSpec(folderOf(page, others), parseMessage);
  return problems.map(
    ({ file, line, text }: { file: string; line: number; text: string }) => `${file}:${line}: ${text}`,
  );
}

function run(folder: string, ...args: readonly string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, '--folder', folder, ...args], { encoding: 'utf8' });
  return { status, stderr };
}

test('a page that keeps the rules becomes data', () => {
  const { requirements, problems } = readSpec(folderOf(PAGE), parseMessage);
  expect(problems).toEqual([]);
  expect(requirements).toEqual([
    {
      id: 'FRM-1',
      section: '1.1',
      title: 'Lines',
      level: 'MUST',
      roles: ['agent', 'host'],
      text: 'The writer MUST end each line with LF.',
      seen: ['Claude Code 2.1.330'],
      origin: 'seen',
    },
    {
      id: 'FRM-2',
      section: '1.1.1',
      title: 'Reading',
      level: 'SHOULD',
      roles: ['host'],
      text: 'The reader SHOULD accept `MUST` as text, however it is written.',
      seen: [],
      origin: 'ours',
      note: 'it is a word',
    },
    {
      id: 'FRM-3',
      section: '1.1.1',
      title: 'Reading',
      level: 'MUST NOT',
      roles: ['server'],
      text: 'The server MUST NOT cut a line.',
      seen: ['Claude Code 2.1.112', 'browser SDK 0.3.328'],
      origin: 'published',
      note: 'browser SDK 0.3.328 declarations',
    },
  ]);
});

describe('a page is refused', () => {
  test.each([
    [
      'with another number in its title',
      '# 1. Framing',
      '# 2. Framing',
      /^01-framing.md:1: The first line must be "# 1\. Title"/,
    ],
    ['with a part out of order', '## 1.2 States', '## 1.3 States', /The number of this heading must be 1\.2\./],
    ['with a part of a part out of order', '### 1.1.1 Reading', '### 1.2.1 Reading', /must be 1\.1\.1\./],
    ['with a heading that is too deep', '### 1.1.1 Reading', '#### 1.1.1 Reading', /two or three #/],
    ['with an id of another section', '**FRM-1**', '**CTL-1**', /:7: The id CTL-1 must begin with FRM-/],
    [
      'with an id that occurs twice',
      '**FRM-3**',
      '**FRM-1**',
      /The id FRM-1 occurs twice\. The first place is 01-framing\.md:7/,
    ],
    ['with an id that begins with 0', '**FRM-1**', '**FRM-01**', /A requirement has the form/],
    ['with a requirement without roles', ' (agent, host):', ':', /A requirement has the form/],
    ['with a role that does not exist', '(agent, host)', '(agent, client)', /No such role: client/],
    ['with a role twice', '(agent, host)', '(host, host)', /A role is named twice/],
    ['with a requirement without a level', 'MUST end', 'ends', /exactly one of .* this one has 0/],
    [
      'with two levels',
      'MUST end each line with LF.',
      'MUST end each line with LF, and SHOULD be short.',
      /this one has 2/,
    ],
    ['with a level after a mark', '2.1.330.', '2.1.330 (MUST).', /A word of RFC 2119 follows "Seen:"/],
    ['with another word of RFC 2119', 'each line', 'each REQUIRED line', /Use only the words/],
    [
      'with a level in its prose',
      'This section says',
      'This section MUST say',
      /:3: "MUST" stands outside a requirement/,
    ],
    [
      'with a small level in its prose',
      'This section says',
      'This section should say',
      /:3: "should" stands outside a requirement/,
    ],
    [
      'with a requirement within a paragraph',
      'This section says',
      'As **FRM-9** says, this section says',
      /a separate paragraph/,
    ],
    ['with a rule without a full stop', 'LF. Seen', 'LF: Seen', /full stop, before its marks/],
    ['with a rule of no origin', ' Seen: Claude Code 2.1.330.', '', /Say where the rule comes from/],
    ['with a program without a version', 'Claude Code 2.1.330', 'Claude Code', /"Claude Code" has no version/],
    ['with two origins', 'Ours: it is a word.', 'Ours: it is a word. Published: a page.', /either published or ours/],
    ['with a rule of ours that binds a host', 'The reader SHOULD accept', 'The reader MUST accept', /SHOULD at most/],
    [
      'with a link to no file',
      '(03-control.md#31-requests)',
      '(../nowhere.md)',
      /"\.\.\/nowhere\.md" leads to a file that does not exist/,
    ],
    [
      'with a link to no heading',
      '(#11-lines)',
      '(#12-lines)',
      /:3: The link "#12-lines" leads to a heading that does not exist/,
    ],
    ['with an example without its line', 'Example of a body:', 'A body is empty:', /must begin with "Example"/],
    ['with an example that is not JSON', '"events": []', 'events: []', /The example is not JSON/],
    [
      'with a message that is not JSON',
      '{"type":"keep_alive"}',
      '{type}',
      /Each line of the example must be a JSON object/,
    ],
    [
      'with a message that its schema refuses',
      '{"role":"user","content":"Hello"}',
      '{"role":"user"}',
      /not a valid message of the host: message\.content/,
    ],
    ['with a block without a kind', '```mermaid\nstate', '```\nstate', /Name the kind of this block/],
    ['with a diagram of no known kind', 'stateDiagram-v2', 'stateDiagram2', /this one begins with "stateDiagram2"/],
    [
      'with a state diagram that is wrong',
      'open --> [*]',
      'open -> [*]',
      /not a statement of a stateDiagram-v2: "open -> \[\*\]"/,
    ],
    ['with a sequence diagram that is wrong', 'A->>B: a line', 'A->>B', /not a statement of a sequenceDiagram/],
    ['with a diagram with a semicolon', 'the first byte', 'the first; byte', /ends a statement at ";"/],
  ])('%s', (_, right, wrong, problem) => {
    expect(PAGE).toContain(right);
    expect(problemsOf(PAGE.replace(right, wrong)).join('\n')).toMatch(problem);
  });

  test('which no section has', () => {
    expect(problemsOf(PAGE, { '16-more.md': '# 16. More\n' })).toEqual([
      '16-more.md:1: No such section. Add it to scripts/spec/form.mjs.',
    ]);
  });
});

test('a link to a section that is still missing is refused as soon as there is a README', () => {
  expect(problemsOf(PAGE)).toEqual([]);
  const problems = problemsOf(PAGE, { 'README.md': '# The protocol\n' });
  expect(problems).toContain('03-control.md:1: This file is missing.');
  expect(problems.join('\n')).toMatch(/01-framing\.md:3: The link "03-control\.md#31-requests" leads to a file/);
});

test('a link to a heading of another section is checked', () => {
  expect(problemsOf(PAGE, { '03-control.md': '# 3. Control\n\n## 3.1 Requests\n' })).toEqual([]);
  expect(problemsOf(PAGE, { '03-control.md': '# 3. Control\n\n## 3.1 Answers\n' }).join('\n')).toMatch(
    /leads to a heading/,
  );
});

test('the table of counts replaces the earlier one, and stands at the end of a README without one', () => {
  const { requirements } = readSpec(folderOf(PAGE), parseMessage);
  const first: string = withCounts('# The protocol\n', requirements);
  expect(first).toContain('| [FRM](01-framing.md) | 1 | 1 | 1 | 0 | 0 | 3 |\n| all | 1 | 1 | 1 | 0 | 0 | 3 |');
  expect(withCounts(`${first}\nMore.\n`, requirements.slice(1))).toBe(
    `${first.replaceAll('| 1 | 1 | 1 | 0 | 0 | 3 |', '| 0 | 1 | 1 | 0 | 0 | 2 |')}\nMore.\n`,
  );
});

test('--check fails for data that do not follow from the text, and for a page that breaks a rule', () => {
  const folder = folderOf(PAGE);
  expect(run(folder, '--check')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/Not up to date: requirements\.json/),
  });
  writeFileSync(join(folder, 'requirements.json'), JSON.stringify(readSpec(folder, parseMessage).requirements));
  expect(run(folder, '--check')).toEqual({ status: 0, stderr: '' });
  const page = readFileSync(join(folder, '01-framing.md'), 'utf8');
  writeFileSync(join(folder, '01-framing.md'), page.replace('each line with LF', 'each line with CR LF'));
  expect(run(folder, '--check').status).toBe(1);
  writeFileSync(join(folder, '01-framing.md'), page.replace(' MUST end', ' ends'));
  expect(run(folder, '--check')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^01-framing\.md:7: /) });
  expect(run(folder, '--wrong').status).toBe(2);
});
