// Installs the core from its tarball into an empty folder, without zod. Starts the service there, and sends logs as whole lines, byte by byte, and
// with a line that exceeds the limit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'framer-'));

function install() {
  const tarballs = join(folder, 'tarballs');
  execFileSync(process.execPath, [path('../../scripts/pack.mjs'), tarballs, '@proto/core'], { stdio: 'ignore' });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const all = readdirSync(tarballs).map((name) => join(tarballs, name));
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...quiet, ...all], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  copyFileSync(path('service.mjs'), join(folder, 'service.mjs'));
}

/** Sends single bytes: no piece is a whole line, and some are only part of a character. */
async function* bytewise(text) {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
}

try {
  install();
  assert.throws(() => createRequire(join(folder, 'service.mjs')).resolve('zod'), { code: 'MODULE_NOT_FOUND' });
  const worker = new Worker(join(folder, 'service.mjs'), { workerData: { maxLineBytes: 1000 } });
  const [port] = await once(worker, 'message');
  const url = `http://127.0.0.1:${port}`;
  const post = async (body) => {
    const { status } = await fetch(url, { method: 'POST', body, duplex: 'half' });
    assert.equal(status, 204);
  };

  await post('{"type":"info","text":"one"}\r\n\n{"type":"info","text":"two\u2028three"}\n');
  await post(ReadableStream.from(bytewise('{"type":"warning","text":"ü 😀"}\nno JSON\n{"type":"warning"}')));
  // A line that is too long is dropped while it arrives, and the next line is read.
  await post(`{"type":"info","text":"${'x'.repeat(5_000_000)}"}\n{"type":"error"}\n`);

  const counts = await (await fetch(url)).json();
  assert.deepEqual(counts, { malformed: 1, tooLarge: 1, info: 2, warning: 2, error: 1 });
  worker.postMessage('stop');
  assert.deepEqual(await once(worker, 'exit'), [0]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('framer-alone: logs in lines, in bytes and beyond the limit, in a worker, with no package but the core');
