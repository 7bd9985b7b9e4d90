/** Runs a file of examples/event-source in a page of a headless browser, with the browser's own `EventSource`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isSkipped, openPage } from './chromium.ts';
import { startFarAgent } from './far-agent.ts';

const follow = readFileSync(fileURLToPath(new URL('../../examples/event-source/follow.mjs', import.meta.url)), 'utf8');

/** Follows a session in the page, and breaks the link between two prompts. The page reports what it has read. */
const program = `
  import { followByTicket } from '/follow.mjs';
  const { session, token, cut } = await (await fetch('/task')).json();
  const events = [];
  const prompt = (text) => fetch(session + '/events', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [{ payload: { type: 'user', uuid: crypto.randomUUID(), message: { role: 'user', content: text } } }] }),
  });
  window.outcome = new Promise((resolve) => {
    const onEvent = (event) => {
      events.push(event);
      if (event.payload.type !== 'result') return;
      const results = events.filter(({ payload }) => payload.type === 'result').map(({ payload }) => payload.result);
      if (results.length === 1) fetch(cut, { method: 'POST' }).then(() => prompt('/echo two'));
      else resolve({ results, numbers: events.map(({ sequence_num }) => sequence_num) });
    };
    followByTicket({ session, token, onEvent, onGap: (gap) => resolve({ gap }), onEnd: (error) => resolve({ error: String(error) }) });
  });
  await prompt('/echo one');
`;

test.skipIf(isSkipped)(
  'the EventSource of a browser follows a session with tickets across a broken link, without a loss or a repetition',
  { timeout: 60_000 },
  async () => {
    const far = await startFarAgent((request, response) => {
      const answer = (type: string, body: string) => void response.setHeader('content-type', type).end(body);
      if (request.url === '/') answer('text/html', '<!doctype html><script type="module" src="/program.js"></script>');
      else if (request.url === '/program.js') answer('text/javascript', program);
      else if (request.url === '/follow.mjs') answer('text/javascript', follow);
      else if (request.url === '/task') void task.then((value) => answer('application/json', JSON.stringify(value)));
      else response.writeHead(404).end();
    });
    const task = far.task(['sse']);
    try {
      await using page = await openPage(far.url);
      await page.evaluate(
        `new Promise((resolve) => (function check() { window.outcome ? resolve() : setTimeout(check, 20); })())`,
      );
      const outcome = Object(await page.evaluate('window.outcome'));
      expect(outcome).toMatchObject({ results: ['one', 'two'] });
      expect(outcome.numbers).toEqual(Array.from(outcome.numbers, (_, index) => index + 1));
    } finally {
      await far.close();
    }
  },
);
