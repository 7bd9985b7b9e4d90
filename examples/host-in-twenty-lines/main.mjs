// Runs the host as a separate program, and checks its output.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const host = fileURLToPath(new URL('host.mjs', import.meta.url));
const agent = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const cwd = mkdtempSync(join(tmpdir(), 'host-'));
const env = { PATH: process.env.PATH, SJP_HOME: cwd };
const ask = (prompt) => execFileSync(process.execPath, [host, agent, prompt], { cwd, env, encoding: 'utf8' });

try {
  assert.equal(ask('/echo hello, world'), 'hello, world\n= success, 0 refused\n');

  const written = ask('/write note.txt a note');
  assert.match(written, /^\? Write .*note\.txt/);
  assert.match(written, /= success, 0 refused\n$/);
  assert.match(readFileSync(join(cwd, 'note.txt'), 'utf8'), /^a note/);

  const refused = ask('/bash echo no > other.txt');
  assert.match(refused, /no shell here/);
  assert.match(refused, /= success, 1 refused\n$/);
  assert.equal(existsSync(join(cwd, 'other.txt')), false);
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
console.log('host-in-twenty-lines: a text that came in pieces, a tool that was allowed, and one that was not');
