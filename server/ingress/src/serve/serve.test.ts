import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AccountsError } from '../auth/accounts.ts';
import { createMemoryEventLog } from '../log/memory-event-log.ts';
import { type LocalServer, serve } from './index.ts';

const TOKEN = 'a-token-of-a-test';

const statusOf = async (url: string, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/code/sessions`, { headers });
  // A body that nobody reads keeps its connection open.
  await answer.text();
  return answer.status;
};

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'accounts.json');
  writeFileSync(file, text);
  return file;
}

test('only holders of the token use a server with a token, and everybody one without', async () => {
  await using closed = await serve({ store: 'memory', access: { token: TOKEN } });
  expect(await Promise.all([statusOf(closed.url), statusOf(closed.url, TOKEN)])).toEqual([401, 200]);
  await using open = await serve({ store: 'memory', access: { everybody: true } });
  expect(await statusOf(open.url)).toBe(200);
});

test('a file of accounts that cannot be used is an AccountsError, and nothing is opened', async () => {
  const opened: string[] = [];
  const serving = (accountsFile: string) =>
    serve({
      store: {
        async open() {
          opened.push('store');
          return createMemoryEventLog();
        },
      },
      access: { accountsFile },
    });
  await expect(serving(fileWith('{}'))).rejects.toThrow('the list "accounts" is missing');
  expect(await serving(fileWith('[')).catch(AccountsError.is)).toBe(true);
  expect(opened).toEqual([]);
});

test('agents and a page get the server, and end with it', async () => {
  const calls: string[] = [];
  let local: LocalServer | undefined;
  const server = await serve({
    store: 'memory',
    access: { token: TOKEN },
    agents(given) {
      local = given;
      return {
        need: () => void calls.push('need'),
        failureOf: () => undefined,
        end() {},
        close: async () => void calls.push('agents closed'),
        abort: () => void calls.push('agents killed'),
      };
    },
    page: async () => ({
      fetch: () => new Response('the page'),
      link: async (base, token) => `${base}/#${token}`,
      close: () => void calls.push('page closed'),
    }),
  });
  expect(server.page).toBe(`${server.url}/#${TOKEN}`);
  expect(await (await fetch(server.url)).text()).toBe('the page');
  expect(await local?.authenticate(TOKEN)).toMatchObject({ role: 'driver' });
  expect(await local?.authenticate('another-token-of-a-test')).toBeUndefined();
  const headers = { authorization: `Bearer ${local?.token}`, 'content-type': 'application/json' };
  const made = await local?.fetch(
    new Request('http://127.0.0.1/v1/code/sessions', { method: 'POST', headers, body: '{"title":"a"}' }),
  );
  expect(made?.ok).toBe(true);
  server.abort();
  await server.close();
  expect(calls.filter((one) => one !== 'need')).toEqual(['agents killed', 'page closed', 'agents closed']);
});

test('the store and the page are closed if the server cannot listen', async () => {
  await using first = await serve({ store: 'memory', access: { everybody: true } });
  const closed: string[] = [];
  const log = createMemoryEventLog();
  const port = Number(new URL(first.url).port);
  const second = serve({
    store: { open: async () => ({ ...log, close: async () => void closed.push('store') }) },
    access: { everybody: true },
    listen: { port },
    page: () => ({ fetch: () => new Response(), link: async () => undefined, close: () => void closed.push('page') }),
  });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(closed.sort()).toEqual(['page', 'store']);
});
