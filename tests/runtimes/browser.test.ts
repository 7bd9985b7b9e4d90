/** Runs our packages in a page of a headless browser, which reports its results to a server on this machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { type FarAgent, startFarAgent } from './far-agent.ts';
import type { Task } from './program.ts';

const { CI, NO_BROWSER, CHROMIUM } = process.env;
const LIMIT_MS = 60_000;
const names = CHROMIUM === undefined ? ['chromium', 'chromium-browser', 'google-chrome'] : [CHROMIUM];
const chromium = NO_BROWSER === '1' ? undefined : names.find((name) => spawnSync(name, ['--version']).status === 0);
// A browser is optional on the machine of a user, and required in CI.
const isSkipped = chromium === undefined && (NO_BROWSER === '1' || CI === undefined);
if (isSkipped)
  console.log(
    'no Chromium: the tests in a page are skipped (CHROMIUM names one, NO_BROWSER=1 says that there is none)',
  );

const start = `
  const report = (body) => fetch('/report', { method: 'POST', body: JSON.stringify(body) });
  fetch('/task').then((answer) => answer.json()).then(run).then(report, (error) => report({ error: String(error?.stack ?? error) }));
`;

let script: string;
let far: FarAgent;
let task: Task;
let reported: (outcome: unknown) => void;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const answer = (type: string, body: string) => void response.setHeader('content-type', type).end(body);
  if (request.url === '/') answer('text/html', '<!doctype html><script type="module" src="/program.js"></script>');
  else if (request.url === '/program.js') answer('text/javascript', script);
  else if (request.url === '/task') answer('application/json', JSON.stringify(task));
  else if (request.url !== '/report') response.writeHead(404).end();
  else void json(request).then((outcome) => (response.end(), reported(outcome)));
}

beforeAll(async () => {
  script = await bundleProgram(start);
  far = await startFarAgent(serve);
});
afterAll(() => far.close());

test.skipIf(isSkipped).each([
  ['a WebSocket', ['websocket'] as const],
  ['an event stream', ['sse'] as const],
  ['either of them', ['websocket', 'sse'] as const],
])('a page follows a session over %s across a broken link', { timeout: LIMIT_MS }, async (_, prefer) => {
  expect(chromium, 'no Chromium: NO_BROWSER=1 to do without').toBeDefined();
  task = await far.task(prefer);
  const outcome = new Promise((resolve) => (reported = resolve));
  await using page = openPage(chromium as string, far.url);
  const early = page.ended.then((said) => ({ error: `the browser has left: ${said}` }));
  expect(await Promise.race([outcome, early])).toEqual({ here: ['in one program'], there: ['one', 'two'] });
});

/** Opens a page in a new browser that cannot reach other machines. */
function openPage(command: string, url: string) {
  const profile = mkdtempSync(join(tmpdir(), 'page-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-dev-shm-usage',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    `--user-data-dir=${profile}`,
    // Without this flag the browser prints the page and exits.
    '--remote-debugging-pipe',
  ];
  // The browser gets its own process group, so that its children end with it. The pipes are those of its debugging protocol.
  const browser = spawn(command, [...flags, url], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let said = '';
  browser.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
  const exited = once(browser, 'exit');
  return {
    ended: exited.then(() => said),
    async [Symbol.asyncDispose]() {
      if (browser.exitCode === null && browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
