// Starts the server, and sends it the requests of the page and of clients without access, without a browser. tests/runtimes/phone-approval.test.ts
// runs the page itself.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHostSession } from '@proto/host';
import { listSessions, sessionUrl } from '@proto/remote';
import { createSseTransport } from '@proto/transport-sse';
import { startApprovals } from './server.mjs';

const agent = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const cwd = mkdtempSync(join(tmpdir(), 'phone-'));
process.env.SJP_HOME = join(cwd, 'home');
const app = await startApprovals({ agent: [agent], cwd });

const pair = (code) => fetch(`${app.url}/pair`, { method: 'POST', body: JSON.stringify({ code }) });
const codeIn = (link) => new URLSearchParams(new URL(link).hash.slice(1)).get('pair');

async function signIn() {
  const [older, code] = [codeIn(app.newLink()), codeIn(app.newLink())];
  // A new link invalidates the previous link. A code works once.
  assert.equal((await pair(older)).status, 403);
  const { token } = await (await pair(code)).json();
  assert.equal((await pair(code)).status, 403);
  assert.equal((await fetch(`${app.url}/pair`, { method: 'POST', body: 'x'.repeat(10_000) })).status, 403);
  return token;
}

/** Sends a request with headers that `fetch` does not send. */
async function statusWith(path, headers) {
  const outgoing = request(app.url + path, { headers });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

async function checkPages() {
  for (const path of ['/', '/page/app.js', '/page/style.css']) {
    const response = await fetch(app.url + path);
    assert.equal(response.status, 200);
    assert.match(
      response.headers.get('content-security-policy'),
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    assert.doesNotMatch(await response.text(), /<script(?![^>]*src)|\sstyle=|from\s*"node:/);
  }
  assert.equal((await fetch(`${app.url}/page/../server.mjs`)).status, 404);
  assert.equal((await fetch(`${app.url}/v1/code/sessions`)).status, 401);
  for (const path of ['/', '/pair', '/v1/code/sessions']) {
    assert.equal(await statusWith(path, { host: 'evil.example' }), 403);
    assert.equal(await statusWith(path, { origin: 'https://evil.example' }), 403);
  }
}

/** Follows a session as a phone does. `next` waits for a question. */
function openPhone(id, token) {
  const questions = [];
  const withdrawn = [];
  let wake = () => {};
  const session = createHostSession(createSseTransport({ url: sessionUrl(app.url, id), credential: () => token }), {
    canUseTool(question, { requestId, signal }) {
      signal.addEventListener('abort', () => {
        withdrawn.push(requestId);
        wake();
      });
      questions.push({ question, requestId });
      wake();
      return null;
    },
  });
  session.initialized.catch(() => {});
  const until = async (holds) => {
    while (!holds()) await new Promise((resolve) => (wake = resolve));
  };
  return {
    session,
    async next() {
      await until(() => questions.length > 0);
      return questions.shift();
    },
    withdrawn: (requestId) => until(() => withdrawn.includes(requestId)),
    async result() {
      for await (const message of session.untilResult()) if (message.type === 'result') return message;
      throw new Error('no result');
    },
  };
}

try {
  await checkPages();
  const token = await signIn();

  // The phone changes the input. A second phone shows the same question until the first phone has answered.
  const id = await app.prompt('/bash echo asked > asked.txt');
  const [first, second] = [openPhone(id, token), openPhone(id, token)];
  const [{ question, requestId }] = await Promise.all([first.next(), second.next()]);
  const { sessions } = await listSessions({ base: app.url, token });
  assert.deepEqual(
    sessions.map(({ title, openRequests }) => ({ title, openRequests })),
    [{ title: '/bash echo asked > asked.txt', openRequests: 1 }],
  );
  first.session.respond(requestId, {
    behavior: 'allow',
    updatedInput: { ...question.input, command: 'echo changed > changed.txt' },
  });
  assert.equal((await first.result()).subtype, 'success');
  await second.withdrawn(requestId);
  assert.equal(second.session.respond(requestId, { behavior: 'deny' }), false);
  assert.equal(readFileSync(join(cwd, 'changed.txt'), 'utf8').trim(), 'changed');
  assert.equal(existsSync(join(cwd, 'asked.txt')), false);

  const third = openPhone(await app.prompt('/bash echo no > no.txt'), token);
  const { requestId: refused } = await third.next();
  third.session.respond(refused, { behavior: 'deny', message: 'not on a Friday' });
  const result = await third.result();
  assert.equal(result.permission_denials.length, 1);
  assert.equal(existsSync(join(cwd, 'no.txt')), false);

  // The phone may answer questions, but may not send prompts.
  const payload = { type: 'user', message: { role: 'user', content: '/bash date' } };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ events: [{ payload }] });
  assert.equal((await fetch(`${sessionUrl(app.url, id)}/events`, { method: 'POST', headers, body })).status, 403);
  await Promise.all([first, second, third].map(({ session }) => session.close()));
} finally {
  await app.close();
  rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
}
console.log(
  'phone-approval: one phone signed in by a link that works once, tool calls changed and denied, strangers refused',
);
