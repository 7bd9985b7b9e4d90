import { expect, test } from 'vitest';
import { FirstPrompts } from './first-prompts.ts';
import { ServerSessions } from './server-sessions.ts';

const EVENTS: Readonly<Record<string, readonly object[]>> = {
  one: [{ type: 'control_request' }, { type: 'user', message: { content: [{ type: 'text', text: 'mend it' }] } }],
  none: [{ type: 'control_request' }],
};
const LISTED = [
  {
    id: 'one',
    title: 'a',
    created_at: '2026-01-01T00:00:00Z',
    archived: false,
    worker_status: 'running',
    open_requests: 2,
  },
  { id: 'none', title: 'b', created_at: '2026-01-01T00:00:00Z', archived: true, worker_status: null, open_requests: 0 },
];

function server() {
  const asked: string[] = [];
  const fetch = (url: string) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const [, id] = /sessions\/(\w+)\/events$/.exec(pathname) ?? [];
    const data = id === undefined ? LISTED : EVENTS[id]?.map((payload) => ({ payload }));
    return Response.json(data === undefined ? {} : { data }, { status: data === undefined ? 404 : 200 });
  };
  return { access: { base: 'http://server.example', token: async () => 'a-token', fetch }, asked };
}

test('a first prompt is read once, and a session without one is left out', async () => {
  const { access, asked } = server();
  const prompts = new FirstPrompts(access);
  expect([...(await prompts.of(['one', 'none', 'gone']))]).toEqual([['one', 'mend it']]);
  expect([...(await prompts.of(['one']))]).toEqual([['one', 'mend it']]);
  expect(asked.filter((path) => path.includes('/one/'))).toHaveLength(1);
});

test('the list has the first prompt, the state, and the number of waiting questions of each session', async () => {
  const sessions = new ServerSessions(server().access);
  try {
    expect(await sessions.list()).toMatchObject([
      { id: 'one', prompt: 'mend it', state: 'running', openRequests: 2 },
      { id: 'none', prompt: undefined, state: 'archived', openRequests: 0 },
    ]);
  } finally {
    sessions.close();
  }
});
