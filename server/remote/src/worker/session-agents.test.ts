/** One agent for each session, through its lives: real processes, with links in memory in place of the ingress. */
import {
  encodeBatch,
  createMemoryPair,
  defineTransport,
  flattenIncoming,
  type Transport,
  TransportError,
} from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { spawnAgent } from '@proto/transport-stdio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type AgentEvent, createSessionAgents, type SessionAgentsOptions } from './session-agents.ts';

/** An agent that follows its prompts, and reports its process id and how it was started. */
const PROGRAM = `
  process.stdin.setEncoding('utf8');
  let rest = '';
  let hooks;
  const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
  process.stdin.on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  });
  function receive({ type, request_id, request, uuid, text }) {
    if (request?.subtype === 'never_answered') return;
    if (type === 'control_request') hooks = request.hooks;
    if (type === 'control_request') return say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
    if (text === 'crash') { process.stderr.write('out of order\\n'); process.exitCode = 3; process.stdin.destroy(); }
    else if (text === 'ask') say({ type: 'control_request', request_id: 'q1', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } });
    else if (text === 'leave') process.stdin.destroy();
    else {
      say({ type: 'system', subtype: 'init', session_id: 'conversation-1' });
      say({ type: 'result', subtype: 'success', is_error: false, hooks, pid: process.pid, argv: process.argv.slice(1), user_message_uuid: uuid });
    }
  }
`;

function start(options: Partial<SessionAgentsOptions> = {}) {
  const events: AgentEvent[] = [];
  const links: Transport[] = [];
  const agents = createSessionAgents({
    start: (_, resume) =>
      spawnAgent({ command: process.execPath, args: ['-e', PROGRAM, ...(resume === undefined ? [] : ['--', resume])] }),
    attach() {
      const { host, agent } = createMemoryPair();
      links.push(host);
      return agent;
    },
    backoff: { baseMs: 1 },
    onEvent: (event) => void events.push(event),
    ...options,
  });
  onTestFinished(() => agents.close());
  return { agents, events, links };
}

/** The client of one life of an agent. */
function clientOf(link: Transport | undefined) {
  if (link === undefined) throw new Error('no agent was attached');
  const items = flattenIncoming(link.incoming);
  return {
    say: (message: object) => link.send(encodeBatch(message)),
    prompt: (text: string) => link.send(encodeBatch({ type: 'user', uuid: crypto.randomUUID(), text })),
    async next() {
      const { value } = await items.next();
      return value?.kind === 'message' ? value.read().message : value;
    },
  };
}

const started = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'agent_started');
const exits = (events: readonly AgentEvent[]) => events.filter(({ type }) => type === 'agent_exited');

test('one agent for each session that is needed, and no second one', async () => {
  const { agents, events, links } = start();
  for (const session of ['one', 'two', 'one']) agents.need(session);
  expect(links).toHaveLength(2);
  const [one, two] = links.map(clientOf);
  await Promise.all([one?.prompt('x'), two?.prompt('x')]);
  await Promise.all([one?.next(), two?.next()]);
  const results = await Promise.all([one?.next(), two?.next()]);
  expect(new Set(results.map((result) => Object(result).pid))).toEqual(
    new Set(events.map((event) => (event.type === 'agent_started' ? event.pid : undefined))),
  );
  expect(agents.failureOf('one')).toBeUndefined();
});

verifies(
  'SERVER-6',
  'whoever waits for an agent that dies gets a message that says how it died, and later clients get a failure',
  async () => {
    const { agents, events, links } = start();
    agents.need('one');
    const client = clientOf(links[0]);
    await client.prompt('ask');
    expect(await client.next()).toMatchObject({ type: 'control_request', request_id: 'q1' });
    await client.say({ type: 'control_request', request_id: 'i1', request: { subtype: 'never_answered' } });
    await client.prompt('crash');
    // No agent is left that could receive the answer.
    expect(await client.next()).toMatchObject({ type: 'control_cancel_request', request_id: 'q1' });
    expect(await client.next()).toMatchObject({
      type: 'control_response',
      response: { subtype: 'error', request_id: 'i1' },
    });
    expect(await client.next()).toMatchObject({
      type: 'result',
      is_error: true,
      errors: [expect.stringContaining('exited with code 3')],
      user_message_uuids: [expect.any(String), expect.any(String)],
    });
    expect(await client.next()).toEqual({
      type: 'system',
      subtype: 'agent_exited',
      code: 3,
      signal: null,
      stderr: 'out of order\n',
      restarting: false,
    });
    await vi.waitFor(() => expect(agents.failureOf('one')).toBeDefined());
    expect(agents.failureOf('one')).toEqual({
      type: 'agent_exited',
      message: 'the agent of this session exited with code 3',
    });
    agents.need('one');
    expect(links).toHaveLength(1);
    expect(exits(events)).toEqual([{ type: 'agent_exited', session: 'one', code: 3, signal: null, restarting: false }]);
  },
);

test('a program that does not exist is reported in the same way', async () => {
  const { agents, links } = start({ start: () => spawnAgent({ command: 'no-such-agent' }) });
  agents.need('one');
  expect(await clientOf(links[0]).next()).toMatchObject({ subtype: 'agent_exited', code: null, restarting: false });
  await vi.waitFor(() => expect(agents.failureOf('one')).toMatchObject({ type: 'agent_not_found' }));
});

verifies(
  'SERVER-7',
  'an agent that fails is started again so many times in a row, and goes on with its conversation',
  async () => {
    const { agents, events, links } = start({ restart: { maxAttempts: 2 } });
    agents.need('one');
    const first = clientOf(links[0]);
    await first.say({
      type: 'control_request',
      request_id: 'i',
      request: { subtype: 'initialize', hooks: { Stop: [] } },
    });
    await first.next();
    await first.prompt('hello');
    expect([await first.next(), await first.next()]).toMatchObject([{ subtype: 'init' }, { type: 'result', argv: [] }]);
    await first.prompt('crash');
    expect(await first.next()).toMatchObject({ subtype: 'agent_exited', restarting: true });
    for (const life of [1, 2]) {
      await vi.waitFor(() => expect(links).toHaveLength(life + 1));
      const next = clientOf(links[life]);
      if (life === 1) {
        await next.prompt('hello');
        // The agent answered the initialize of the worker. The client does not know that the agent was restarted.
        expect([await next.next(), await next.next()]).toMatchObject([
          { subtype: 'init' },
          { type: 'result', argv: ['conversation-1'], hooks: { Stop: [] } },
        ]);
      }
      await next.prompt('crash');
      expect(await next.next()).toMatchObject({ subtype: 'agent_exited', restarting: true });
    }
    await vi.waitFor(() => expect(links).toHaveLength(4));
    const last = clientOf(links[3]);
    await last.prompt('crash');
    expect([await last.next(), await last.next()]).toMatchObject([
      { type: 'result', is_error: true },
      { subtype: 'agent_exited', restarting: false },
    ]);
    await vi.waitFor(() => expect(agents.failureOf('one')).toBeDefined());
    expect(exits(events)).toHaveLength(4);
  },
);

test('an agent that exits by itself is not a failure, and is started again when it is needed', async () => {
  const { agents, links } = start();
  agents.need('one');
  const client = clientOf(links[0]);
  await client.prompt('leave');
  expect(await client.next()).toMatchObject({ subtype: 'agent_exited', code: 0, restarting: false });
  await vi.waitFor(() => {
    agents.need('one');
    expect(links).toHaveLength(2);
  });
  expect(agents.failureOf('one')).toBeUndefined();
});

test('an agent whose session is archived or has nothing to do is stopped, and an agent in a turn is not', async () => {
  const { agents, events, links } = start({ idleTimeoutMs: 50 });
  for (const session of ['ended', 'idle', 'busy']) agents.need(session);
  const [ended, idle, busy] = links.map(clientOf);
  await busy?.prompt('ask');
  await vi.waitFor(() => expect(started(events)).toHaveLength(3));
  agents.end('ended');
  expect(await busy?.next()).toMatchObject({ type: 'control_request' });
  expect(await ended?.next()).toMatchObject({ subtype: 'agent_exited', code: 0 });
  expect(await idle?.next()).toMatchObject({ subtype: 'agent_exited', code: 0 });
  await busy?.say({ type: 'control_response', response: { subtype: 'success', request_id: 'q1', response: {} } });
  await busy?.prompt('hello');
  expect(await busy?.next()).toMatchObject({ subtype: 'init' });
});

test('another worker takes the session for good', async () => {
  let taken: () => void = () => {};
  const attach = vi.fn(() =>
    defineTransport('scripted', (control) => {
      control.opened();
      const lost = new TransportError('rejected', 'superseded', { status: 409 });
      taken = () => control.closed(Object.assign(lost, { reason: 'superseded_by_worker' }));
      return { write() {}, close: () => control.closed(), abort: () => control.closed() };
    }),
  );
  const { agents, events } = start({ attach });
  agents.need('one');
  await vi.waitFor(() => expect(started(events)).toHaveLength(1));
  taken();
  await vi.waitFor(() => expect(exits(events)).toHaveLength(1));
  await new Promise(setImmediate);
  agents.need('one');
  expect(attach).toHaveBeenCalledTimes(1);
  expect(agents.failureOf('one')).toBeUndefined();
});

test('a link that broke does not mean another worker: the agent is started again when it is needed', async () => {
  const { agents, events, links } = start();
  agents.need('one');
  links[0]?.abort(new Error('broken'));
  await vi.waitFor(() => {
    agents.need('one');
    expect(links).toHaveLength(2);
  });
  expect(exits(events)).toHaveLength(1);
});

test('no more agents run at a time than allowed, and a client that comes too late gets a message', async () => {
  const { agents, links } = start({ maxAgents: 1 });
  for (const session of ['one', 'two']) agents.need(session);
  expect(links).toHaveLength(1);
  expect(agents.failureOf('one')).toBeUndefined();
  expect(agents.failureOf('two')).toMatchObject({ type: 'too_many_agents' });
});

test('close stops all that run, and starts none', async () => {
  const { agents, events, links } = start();
  for (const session of ['one', 'two']) agents.need(session);
  await vi.waitFor(() => expect(started(events)).toHaveLength(2));
  await Promise.all(links.map((link) => clientOf(link).next()).concat(agents.close() as Promise<undefined>));
  agents.need('three');
  expect(links).toHaveLength(2);
  expect(exits(events)).toHaveLength(2);
  for (const event of events) {
    if (event.type === 'agent_started') expect(() => process.kill(event.pid, 0)).toThrow(/ESRCH/);
  }
});

test('the agent of a session that another server has taken over is killed, and the session may get a new one later', async () => {
  const { agents, events, links } = start();
  agents.need('one');
  const client = clientOf(links[0]);
  await client.prompt('x');
  await client.next();
  agents.lose('one');
  // The session needs an agent before the killed agent has exited, so the next agent starts after the exit.
  agents.need('one');
  expect(links).toHaveLength(1);
  await vi.waitFor(() => expect(started(events)).toHaveLength(2));
  expect(exits(events)).toMatchObject([{ signal: 'SIGTERM', restarting: false }]);
  const next = clientOf(links[1]);
  await next.prompt('y');
  expect(await next.next()).toMatchObject({ subtype: 'init' });
  expect(agents.failureOf('one')).toBeUndefined();
  agents.lose('unknown');
});
