/** Compares docs/troubleshooting.md with the source: each title is the text of an error, and no error class or code is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const NO_USER_MEETS = ['test-support', 'demo', 'testkit'];

const sources = packageFolders()
  .filter((path) => !NO_USER_MEETS.includes(basename(path)))
  .flatMap((path) => {
    const folder = join(ROOT, path, 'src');
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test'))
      .map((file) => ({
        path: join(basename(path), file),
        text: readFileSync(join(folder, file), 'utf8').replaceAll("\\'", "'").replaceAll('\\`', '`'),
      }));
  });
const everything = sources.map(({ text }) => text).join('\n');

const titles = Array.from(
  page.matchAll(/^### (?:`` (.*) ``|`(.*)`)$/gm),
  ([, double, single]) => double ?? single ?? '',
);

/** Matches a quoted text of the source that has all fixed parts of a title in order. `…` stands for the value of an expression. */
function textLike(title: string): RegExp {
  const parts = title.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = parts.join('[^\\n]+?');
  // The name of the transport may precede a text, and more may follow it if the title ends with `…`.
  return new RegExp(`['"\`}:( ]\\s*${pattern}['"\`$]`);
}

describe('the sections', () => {
  test('are at least thirty, and their titles are unique', () => {
    expect(titles.length).toBeGreaterThanOrEqual(30);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).toHaveLength(page.match(/^### /gm)?.length ?? 0);
  });

  test.each(titles)('%s is the text of an error', (title) => {
    expect(sources.filter(({ text }) => textLike(title).test(text)).map(({ path }) => path)).not.toEqual([]);
  });

  test.each(titles)('%s is in the index', (title) => {
    expect(
      page
        .split('\n')
        .filter((line) => (line.startsWith('- [') && line.includes(`${title} \``)) || line.includes(`[\`${title}\`]`)),
    ).toHaveLength(1);
  });

  test('a text that nothing reports does not match as a title', () => {
    expect(textLike('the agent … has eaten the homework').test(everything)).toBe(false);
  });
});

/** The members of a union of texts, such as the codes of an error. */
function membersOf(type: string): string[] {
  const [, union = ''] = new RegExp(`export type ${type} =([^;]+);`).exec(everything) ?? [];
  return Array.from(union.matchAll(/'([\w-]+)'/g), ([, member = '']) => member);
}

/** Error classes that need no section, each with the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  CassetteFailure: 'becomes a line on stderr and an exit code',
  CutBodyError: 'becomes a response with status 413',
  NeedsFacts: 'starts a second look at the database, inside of the store',
  NotInitialized: 'becomes the failure of a case',
  JsonDepthError: 'becomes a malformed line with the reason `too-deep`',
  JsonCursorError: 'a part of the messages that a body is cut by, never thrown to a caller',
  RepeatedNameError: 'becomes the error about a flag, a file of settings, of rules or of accounts',
  Refusal: 'becomes a response, and its types are in the table of statuses',
  RequestFailed: 'becomes a TransportError',
  ServerError: 'becomes a sentence of the page of the inspector',
  SessionActionError: 'becomes a response to the page of the inspector',
  NotOwner: 'becomes a request to another node',
  SkippedError: 'never leaves a session of the server',
  TooMuchToLookAt: 'ends the comparison of a value with a schema, inside of it',
  UsageError: 'becomes a line of the command, with exit code 2',
  TurnEnd: 'ends a turn of the reference agent, which reports it as a result',
};

describe('nothing is left out', () => {
  const classes = Array.from(
    everything.matchAll(/^export class (\w+)(?:<\w+>)? extends \w*Error\b/gm),
    ([, name = '']) => name,
  );

  test.each([...new Set(classes)])('the class %s has a line, or a reason to have none', (name) => {
    expect(page.includes(`\`${name}\``) !== name in WITHOUT).toBe(true);
  });

  test('each class without a section exists', () => {
    expect(Object.keys(WITHOUT).filter((name) => !classes.includes(name))).toEqual([]);
  });

  test.each(['TransportErrorCode', 'ProtocolErrorCode', 'SessionErrorCode', 'EventLogErrorCode', 'ShimErrorCode'])(
    'each code of %s is explained',
    (type) => {
      const members = membersOf(type);
      expect(members.length).toBeGreaterThan(2);
      expect(members.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
    },
  );

  test('each type of a refusal of the server is explained, with its status', () => {
    const refusals = Array.from(
      everything.matchAll(/new Refusal\(\s*(\d+),\s*'(\w+)'/g),
      ([, status = '', type = '']) => ({ status, type }),
    );
    expect(refusals.length).toBeGreaterThan(10);
    const rows = page.split('\n').filter((line) => line.startsWith('| '));
    const missing = refusals.filter(
      ({ status, type }) => !rows.some((row) => row.split('|')[1]?.includes(status) && row.includes(`\`${type}\``)),
    );
    expect(missing).toEqual([]);
  });

  test('each exit code of sjp is explained', () => {
    const tables = Array.from(everything.matchAll(/export const EXIT = \{(.*?)\}/gs), ([, table = '']) => table).join();
    const [, rows = ''] = /## Exit codes(.*?)\n## /s.exec(page) ?? [];
    const codes = Array.from(tables.matchAll(/: (\d+)\b/g), ([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(8);
    expect(codes.filter((code) => !new RegExp(`^\\|.*\\b${code}\\b.*\\|`, 'm').test(rows))).toEqual([]);
  });

  test('each close code with a hint is explained in the words of the client', () => {
    const meanings = Array.from(
      everything.matchAll(/^ {2}(\d{4}): \{.*hint: '(.*)' \}/gm),
      ([, code = '', hint = '']) => ({
        code,
        hint,
      }),
    );
    expect(meanings.length).toBeGreaterThan(5);
    const rows = page.split('\n').filter((line) => line.startsWith('| '));
    expect(
      meanings.filter(({ code, hint }) => !rows.some((row) => row.includes(code) && row.includes(`\`${hint}\``))),
    ).toEqual([]);
  });
});
