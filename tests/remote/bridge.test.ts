/** Connects a stdio host as the viewer of a session through the built `sjp bridge`, with the published bridge as the worker. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { attachWorker, newSession, startIngress, TOKENS } from './remote-session.ts';
import { bin } from './served-agents.ts';
import { until } from './until.ts';

test('the bridge passes lines unchanged in both directions, and adds the ids that a session needs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bridge-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, TOKENS.driver);
  const { url, close } = await startIngress();
  onTestFinished(close);
  const session = await newSession(url);
  const { handle, inbound } = await attachWorker(url, session);
  const uri = `sse+${url}/v1/code/sessions/${session}`;
  const bridge = spawn(process.execPath, [bin('main'), 'bridge', '-', uri, '--token-file', tokenFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void bridge.kill('SIGKILL'));
  const exit = new Promise((resolve) => bridge.once('exit', resolve));
  const lines = createInterface(bridge.stdout)[Symbol.asyncIterator]();
  bridge.stdin.write('{"type":"user","n":1.0,"message":{"role":"user","content":"hello"},"unheard":{"of":[]}}\n');
  await until(() => inbound.length === 1);
  expect(inbound[0]).toMatchObject({ message: { content: 'hello' }, unheard: { of: [] } });
  const said = { type: 'system', subtype: 'unheard_of', uuid: crypto.randomUUID(), z: 1, a: 2 };
  handle.write(said as never);
  const { value } = await lines.next();
  expect(JSON.parse(String(value))).toMatchObject(said);
  bridge.kill('SIGTERM');
  expect(await exit).toBe(143);
});
