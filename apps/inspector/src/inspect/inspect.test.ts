import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inspect, type InspectOptions } from './inspect.ts';

const settings = { port: 0, env: process.env, token: async () => undefined, onEvent() {} };

function inspected(what: InspectOptions['what']) {
  return inspect({ ...settings, what });
}

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'inspect-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'wire.ndjson');
  writeFileSync(file, text);
  return file;
}

test('a page shows a file until it is closed', async () => {
  const page = await inspected({ file: fileWith('{"type":"result","subtype":"success"}\n') });
  expect(page.link()).toMatch(new RegExp(`^${page.url}/#ticket=.`));
  const shown = await fetch(page.url);
  expect(shown.status).toBe(200);
  // An unread body keeps its connection open.
  expect(await shown.text()).toContain('<title>Inspector</title>');
  page.close();
  expect(await page.closed).toBe(0);
  await expect(fetch(page.url)).rejects.toThrow('fetch failed');
});

test('a page of a bridge ends with the exit code of its child', async () => {
  const agent = [process.execPath, '--eval', 'process.stdin.resume()'];
  const host = [process.execPath, '--eval', 'process.exitCode = 5'];
  const page = await inspected({ host, agent });
  expect(await page.closed).toBe(5);
});

test('a file that is missing, an agent that does not exist and a worker are refused before there is a page', async () => {
  await expect(inspected({ file: '/nowhere/wire.ndjson' })).rejects.toThrow(
    'cannot read /nowhere/wire.ndjson: no such file or directory',
  );
  await expect(inspected({ host: '-', agent: ['/nowhere/agent'] })).rejects.toMatchObject({ code: 'agent-not-found' });
  const host = 'sse+http://127.0.0.1:1/v1/code/sessions/cse_1/worker';
  await expect(inspected({ host, agent: [process.execPath] })).rejects.toThrow('cannot be inspected');
});
