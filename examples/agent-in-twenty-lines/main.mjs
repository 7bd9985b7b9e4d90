// Packs what the agent needs, installs it into a new folder as a user would, and drives the agent there: with the published
// SDK, and by hand over its pipes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '@anthropic-ai/claude-agent-sdk';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agent-'));
const agent = join(folder, 'agent.mjs');

function install() {
  const tarballs = join(folder, 'tarballs');
  const packages = ['core', 'agent', 'transport-stdio', 'transport-websocket', 'transport-sse', 'headless'];
  const names = packages.map((name) => `@proto/${name}`);
  execFileSync(process.execPath, [path('../../scripts/pack.mjs'), tarballs, ...names], { stdio: 'ignore' });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  // npm fetches nothing: the dependencies are the copies that the workspace has.
  const others = packages.flatMap((name) => {
    const folder = path(`../../packages/${name}`);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const foreign = Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@proto/'));
    return foreign.map((dependency) => realpathSync(join(folder, 'node_modules', dependency)));
  });
  const all = [...readdirSync(tarballs).map((name) => join(tarballs, name)), ...others];
  const quiet = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quiet, ...all], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(path('agent.mjs'), agent);
}

/** Returns the result of one prompt that the published SDK sends. */
async function ask(prompt, canUseTool) {
  async function* prompts() {
    yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' };
  }
  const options = { pathToClaudeCodeExecutable: agent, env: { PATH: process.env['PATH'] }, canUseTool };
  for await (const message of query({ prompt: prompts(), options })) if (message.type === 'result') return message;
}

try {
  install();
  const permitted = await ask('protocol', async (_, input) => ({ behavior: 'allow', updatedInput: input }));
  assert.deepEqual([permitted.subtype, permitted.result], ['success', 'locotorp']);

  const refused = await ask('protocol', async () => ({ behavior: 'deny', message: 'not today' }));
  assert.equal(refused.result, 'not today');
  assert.deepEqual(refused.permission_denials[0].tool_input, { text: 'protocol' });

  // No host can be asked over plain pipes, so the tool call is refused, and the agent says so.
  const text = execFileSync(process.execPath, [agent, '-p', 'protocol'], { input: '', encoding: 'utf8' });
  assert.match(text, /not granted/);
  const input = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'protocol' } })}\n`;
  const streams = ['-p', '--verbose', '--input-format=stream-json', '--output-format=stream-json'];
  const lines = execFileSync(process.execPath, [agent, ...streams], { input, encoding: 'utf8' })
    .trim()
    .split('\n');
  const types = lines.map((line) => JSON.parse(line).type);
  assert.deepEqual(types, ['system', 'assistant', 'system', 'user', 'assistant', 'result']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('agent-in-twenty-lines: installed from its tarballs, driven by the published SDK and over its pipes');
