/** The pages whose programs run by themselves: their files are written, their commands are run, and their output is compared. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksOf, ROOT } from './documents.ts';

// Inside this package, so that the imports of the programs resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

mkdirSync(join(folder, 'bin'));
const agent = join(folder, 'bin/sjp-agent');
writeFileSync(agent, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'packages/cli/dist/agent.js')}" "$@"\n`);
chmodSync(agent, 0o755);
const env = { ...process.env, PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter) };

describe.each(['hooks', 'own-requests'])('docs/%s.md', (page) => {
  const blocks = blocksOf(readFileSync(join(ROOT, `docs/${page}.md`), 'utf8'));
  const programs = blocks.flatMap(({ code }) => {
    const [, name] = /^\/\/ ([\w-]+\.mjs)\n/.exec(code) ?? [];
    return name === undefined ? [] : [{ name, code }];
  });
  const runs = blocks
    .filter(({ language }) => language === 'console')
    .map(({ code }) => /^\$ node (\S+)\n(.*)$/s.exec(code) ?? [code])
    .map(([, name = '', output]) => ({ name, output }));
  for (const { name, code } of programs) writeFileSync(join(folder, name), code);

  test('has a program for each command, and runs each program', () => {
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.map(({ name }) => name)).toEqual(programs.map(({ name }) => name));
  });

  test.each(runs)(
    '$name prints what the page shows',
    ({ name, output }) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [name], {
        cwd: folder,
        env,
        timeout: 60_000,
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: output, stderr: '' });
    },
    90_000,
  );
});
