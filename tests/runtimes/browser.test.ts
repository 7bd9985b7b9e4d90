/** Runs our packages in a page of a headless browser, which reports its results to a server on this machine. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from './bundle.ts';
import { chromium, isSkipped, openPage } from './chromium.ts';
import { type FarAgent, startFarAgent } from './far-agent.ts';
import type { Task } from './program.ts';

const LIMIT_MS = 60_000;

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
  await using page = await openPage(far.url);
  const early = page.ended.then((said) => ({ error: `the browser has left: ${said}` }));
  expect(await Promise.race([outcome, early])).toEqual({ here: ['in one program'], there: ['one', 'two'] });
});
