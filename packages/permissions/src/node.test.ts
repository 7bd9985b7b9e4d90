import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decidePermission } from './decide-permission.ts';
import { followLinks, readPermissionRules } from './node.ts';
import { createPermissionRules } from './permission-rules.ts';

let folder: string;
let cwd: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'permissions-')));
  cwd = join(folder, 'work');
  await mkdir(join(folder, 'outside/deep'), { recursive: true });
  await mkdir(cwd);
  await writeFile(join(folder, 'outside/key'), '');
  await symlink('../outside/deep', join(cwd, 'link'));
  await symlink('../outside/new', join(cwd, 'dangling'));
  await symlink('circle', join(cwd, 'circle'));
});
afterAll(() => rm(folder, { recursive: true }));

test('links are followed, also to files that do not exist yet', async () => {
  expect(await followLinks(join(cwd, 'link'))).toBe(join(folder, 'outside/deep'));
  expect(await followLinks(join(cwd, 'link/new/file'))).toBe(join(folder, 'outside/deep/new/file'));
  expect(await followLinks(join(cwd, 'dangling'))).toBe(join(folder, 'outside/new'));
  expect(await followLinks(`${cwd}/link/../key`)).toBe(join(folder, 'outside/key'));
  expect(await followLinks(join(cwd, 'none'))).toBe(join(cwd, 'none'));
  await expect(followLinks(join(cwd, 'circle'))).rejects.toThrow('ELOOP');
});

test.each(['link/file', 'dangling', 'link/../key', 'circle', '../outside/key'])(
  'a rule for a folder does not allow a path that leads out of it: %s',
  async (file_path) => {
    const rules = createPermissionRules({ allow: ['Write(./**)'] });
    const write = (path: string) =>
      decidePermission(rules, { tool: 'Write', input: { file_path: path } }, { cwd, followLinks });
    expect((await write('inside')).behavior).toBe('allow');
    expect((await write(file_path)).behavior).toBe('deny');
  },
);

test('a rules file that cannot be read or parsed causes an error with its name', async () => {
  const file = join(folder, 'rules.json');
  await expect(readPermissionRules(file)).rejects.toMatchObject({ name: 'PermissionRulesError', file });
  await writeFile(file, '{"deny":["Bash(rm"]}');
  await expect(readPermissionRules(file)).rejects.toThrow(`${file}: "deny": "Bash(rm" is not a valid rule`);
  await writeFile(file, '{"deny":["Bash(rm *)"]}');
  expect(await readPermissionRules(file)).toMatchObject({ deny: [{ toolName: 'Bash' }], default: 'deny' });
});
