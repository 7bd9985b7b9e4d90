// Sends a prompt to the agent in Python with `sjp run`, then runs the conformance suite on the agent, with every case that applies to it.
// prompts.json says that the agent has no tools and no hooks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const sjp = join(dirname(createRequire(import.meta.url).resolve('@proto/cli/package.json')), 'bin/sjp.js');
const agent = ['--', 'python3', join(folder, 'agent.py')];

/** Runs `sjp`, and returns its output. */
function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [sjp, ...args, ...agent], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`sjp ${args[0]} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trimEnd();
}

assert.equal(run('run', 'hello', '--format', 'final'), 'hello');
// On a busy machine Python takes seconds to start.
const report = run('conformance', 'agent', '--prompts', join(folder, 'prompts.json'), '--timeout-scale', '2');
console.log(report.split('\n').slice(-2).join('\n'));
