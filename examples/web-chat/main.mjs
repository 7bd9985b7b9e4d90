// Starts the server, and uses it as the page does, without a browser. tests/runtimes/web-chat.test.ts runs the page itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHostSession } from '@proto/host';
import { createSessionView } from '@proto/host/view';
import { openSession, openViewer } from '@proto/remote';
import { startChat } from './server.mjs';

const reference = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const folder = mkdtempSync(join(tmpdir(), 'chat-'));
process.env.SJP_HOME = join(folder, 'home');
const chat = await startChat({ agent: [process.execPath, reference], cwd: folder, folder });

const signIn = (body) => fetch(`${chat.url}/sign-in`, { method: 'POST', body });
const code = new URL(chat.newLink()).hash.slice(1);
const token = await (await signIn(code)).text();
assert.equal((await signIn(code)).status, 403);
assert.equal((await signIn('x'.repeat(2000))).status, 413);

// The server answers only under its own name, and serves only the files of the page.
const wrongHost = request(chat.url, { headers: { host: 'evil.example' } });
wrongHost.end();
const [refused] = await once(wrongHost, 'response');
refused.resume();
assert.equal(refused.statusCode, 403);
assert.equal((await fetch(`${chat.url}/..%2fserver.mjs`)).status, 404);
assert.match((await fetch(chat.url)).headers.get('content-security-policy'), /^default-src 'self'/);

const { url } = await openSession({ base: chat.url, session: 'new', token });
const view = createSessionView();
const session = createHostSession(openViewer({ url, prefer: 'ws', credential: token }), view.callbacks);
const followed = view.follow(session);
/** Waits until the snapshot has what is looked for. */
const until = (find) =>
  new Promise((resolve) => {
    const stop = view.subscribe(() => {
      const found = find(view.getSnapshot());
      if (found) resolve((stop(), found));
    });
  });
const asked = until(({ questions }) => questions[0]);
view.prompt('/bash echo approved');
const answered = until(({ turns }) => turns[0]?.outcome);
(await asked).allow();
assert.equal(await answered, 'success');
const call = view.getSnapshot().turns[0].items.find(({ kind }) => kind === 'call');
assert.equal(call.state, 'done');
assert.match(String(call.result), /approved/);

await session.close();
await followed;
await chat.close();
rmSync(folder, { recursive: true, force: true });
