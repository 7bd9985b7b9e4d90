// Runs the conformance suite on the agent in Python, with every case that applies to it. prompts.json says that it has no tools and no hooks.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const sjp = join(dirname(createRequire(import.meta.url).resolve('@proto/cli/package.json')), 'bin/sjp.js');
const args = [
  'conformance',
  'agent',
  '--prompts',
  join(folder, 'prompts.json'),
  // On a busy machine Python takes seconds to start.
  '--timeout-scale',
  '2',
  '--',
  'python3',
  join(folder, 'agent.py'),
];
const { status, stdout, stderr } = spawnSync(process.execPath, [sjp, ...args], { encoding: 'utf8' });
if (status !== 0) throw new Error(`The suite ended with ${status}:\n${stdout}${stderr}`);
console.log(stdout.trimEnd().split('\n').slice(-2).join('\n'));
