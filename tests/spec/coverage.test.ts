/** Tests which requirements of the specification have to be tested by the conformance suite, and that the published files follow from the description. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifies } from '@proto/test-support/verifies';
import { afterEach, describe, expect, test } from 'vitest';

const { coverageProblems, untestedClients } = await import(
  new URL('../../scripts/spec/coverage.mjs', import.meta.url).href
);
const root = fileURLToPath(new URL('../../', import.meta.url));

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

describe('what the suite tests', () => {
  const requirement = { id: 'FRM-1', level: 'MUST', roles: ['agent', 'host'], text: 'The writer MUST …' };
  const cited = { agent: new Set(['FRM-1']), host: new Set<string>(), server: new Set<string>() };
  const problems = (changes: object, untested: object[] = []) =>
    coverageProblems([{ ...requirement, ...changes }], cited, untested) as string[];
  const excuse = { id: 'FRM-1', reason: 'no program can be made to show it' };

  test('a MUST is tested on each side that it binds', () => {
    expect(problems({ roles: ['agent'] })).toEqual([]);
    expect(problems({})).toEqual([expect.stringContaining('FRM-1: not cited')]);
    expect(problems({ roles: ['host'], level: 'MUST NOT' })).toHaveLength(1);
  });

  test.each([{ level: 'SHOULD' }, { roles: ['viewer'] }, { roles: ['agent', 'worker'] }])(
    '%j is not missed',
    (changes) => {
      expect(problems(changes)).toEqual([]);
    },
  );

  test('a MUST that binds only clients of a server is cited by a test', () => {
    const missed = (changes: object, cited: string[] = []) =>
      untestedClients([{ ...requirement, roles: ['viewer', 'worker'], ...changes }], new Set(cited)) as string[];
    expect(missed({})).toEqual([expect.stringContaining('FRM-1: no test cites it')]);
    expect(missed({}, ['FRM-1'])).toEqual([]);
    expect(missed({ level: 'SHOULD' })).toEqual([]);
    expect(missed({ roles: ['viewer', 'server'] })).toEqual([]);
  });

  test('a requirement that is listed as untested needs a reason, and must not be tested', () => {
    expect(problems({}, [excuse])).toEqual([]);
    expect(problems({}, [{ ...excuse, reason: 'hard' }])).toEqual([expect.stringContaining('needs a reason')]);
    expect(problems({ roles: ['agent'] }, [excuse])).toEqual([expect.stringContaining('Remove the entry')]);
    expect(problems({ roles: ['agent'] }, [{ ...excuse, id: 'FRM-9' }])).toHaveLength(1);
  });
});

describe('what is written from the description', () => {
  /** Checks a copy of the specification after a change of one of its files. */
  function check(file: string, change: (text: string) => string) {
    const folder = mkdtempSync(join(tmpdir(), 'spec-'));
    folders.push(folder);
    cpSync(join(root, 'spec'), join(folder, 'spec'), { recursive: true });
    // The specification contains links to these folders.
    for (const name of ['docs', 'packages', 'server', 'apps', 'conformance'])
      symlinkSync(join(root, name), join(folder, name));
    const path = join(folder, 'spec', file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'scripts/spec.mjs'), '--check', '--folder', join(folder, 'spec')],
      { encoding: 'utf8' },
    );
    return { status, stderr };
  }

  verifies('TEST-5', 'the specification is up to date, and a changed table, text or list is refused', () => {
    expect(check('tables.md', (text) => text)).toEqual({ status: 0, stderr: '' });
    expect(check('tables.md', (text) => text.replace('`parent_tool_use_id`', '`parent`'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('tables.md'),
    });
    expect(check('registry.md', (text) => text.replace('`resume`', '`resumed`'))).toMatchObject({ status: 1 });
    expect(check('CHANGELOG.md', (text) => text.replace('WRK-56', 'WRK-156'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('No requirement has the id WRK-156'),
    });
    expect(check('schema/05-permissions.json', (text) => text.replace('behavior', 'verdict'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('schema/05-permissions.json'),
    });
    expect(
      check('05-permissions.md', (text) => text.replace('](schema/05-permissions.json)', '](tables.md)')),
    ).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('05-permissions.md has to link'),
    });
    expect(check('requirements.json', (text) => text.replace('MUST', 'MAY'))).toMatchObject({ status: 1 });
    expect(
      check('01-framing.md', (text) => text.replace('MUST write each message', 'MUST send each message')),
    ).toMatchObject({ status: 1 });
    expect(check('untested.json', () => '[]')).toMatchObject({ status: 1, stderr: expect.stringContaining('FRM-14') });
  });

  verifies('TEST-5', 'the JSON Schemas of both directions are files of the package', () => {
    for (const name of ['from-agent', 'from-host']) {
      const file = fileURLToPath(import.meta.resolve(`@proto/core/json-schema/${name}.json`));
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      });
    }
  });
});
