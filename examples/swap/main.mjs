// Runs the host five times, each time with its agent in another place, and compares the transcripts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const host = fileURLToPath(new URL('host.mjs', import.meta.url));
const bin = (name) => fileURLToPath(new URL(`dist/${name}.js`, import.meta.resolve('@proto/cli/package.json')));
const flags = ['--input-format=stream-json', '--output-format=stream-json', '--verbose'];
const agent = [bin('agent'), ...flags, '--permission-prompt-tool=stdio', '--include-partial-messages'];
const cwd = mkdtempSync(join(tmpdir(), 'swap-'));
const AGENT_TOKEN = 'a-token-of-at-least-16';
const tokenFile = join(cwd, 'token');
writeFileSync(tokenFile, AGENT_TOKEN, { mode: 0o600 });
const env = { PATH: process.env.PATH, SJP_HOME: cwd };
const started = [];

/** Starts a program whose first line of output says where it listens. */
async function listening(...args) {
  const child = spawn(process.execPath, [bin('main'), ...args], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return JSON.parse(value);
}

/** Runs a host with an agent at this address, and returns the transcript. */
function startHost(AGENT_URL, input = 'ignore') {
  const child = spawn(process.execPath, [host], {
    cwd,
    env: { ...env, AGENT_URL, AGENT_TOKEN },
    stdio: [input, input, 'pipe'],
  });
  return { child, seen: text(child.stderr) };
}

const seenOver = (url) => startHost(url).seen;

/** Starts a host and an agent, and joins their pipes. */
function overStdio() {
  const far = spawn(process.execPath, agent, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const { child: near, seen } = startHost('-', 'pipe');
  far.stdout.pipe(near.stdin);
  near.stdout.pipe(far.stdin);
  return seen;
}

/** Uses a substitute for ssh that runs the command given after the host name on this machine. */
function overSsh(words) {
  const ssh = join(cwd, 'ssh');
  writeFileSync(ssh, '#!/bin/sh\nshift\nexec "$@"\n', { mode: 0o755 });
  return seenOver(`exec:${ssh} box ${words}`);
}

async function overWebSocket() {
  const flag = `--client-token-file=${tokenFile}`;
  const { url } = await listening('bridge', '--json', '--listen=ws://127.0.0.1:0', flag, '--', ...agent);
  return seenOver(url);
}

async function overEventStream() {
  const flag = `--token-file=${tokenFile}`;
  const { base } = await listening(
    'serve',
    '--json',
    '--listen=127.0.0.1:0',
    '--store=memory',
    flag,
    '--',
    bin('agent'),
  );
  const headers = { authorization: `Bearer ${AGENT_TOKEN}` };
  const made = await fetch(`${base}/v1/code/sessions`, { method: 'POST', headers, body: '{}' });
  const { session } = await made.json();
  return seenOver(`sse+${base}/v1/code/sessions/${session.id}`);
}

try {
  const words = agent.map((word) => `"${word}"`).join(' ');
  const child = await seenOver(`exec:${words}`);
  assert.match(child, /^> .*\n= success, 0 refused: the same words, ü and 😀, wherever I am\n/);
  assert.match(child, /\? Bash .*\n= success, 1 refused: refused\n/);
  assert.match(child, /! accepted\n= error_during_execution, 0 refused: undefined\nmode plan\n$/);
  assert.equal(await overSsh(words), child);
  assert.equal(await overStdio(), child);
  assert.equal(await overWebSocket(), child);
  assert.equal(await overEventStream(), child);
} finally {
  for (const process of started) process.kill();
  rmSync(cwd, { recursive: true, force: true });
}
console.log('swap: one host, and what it sees is the same over a child, ssh, stdio, a WebSocket, and events with POST');
