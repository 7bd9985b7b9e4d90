import { createSession } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { type Batch, createMemoryPair, type Transport, wrapTransport } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import type { AgentHandle, AgentOptions } from '../agent-options.ts';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import { fakeWorkerLink } from './fake-worker-link.test-support.ts';
import { textOf } from '../prompts/prompt.ts';
import { runAgent } from '../agent-session.ts';

/** An agent that is the worker of a session, and a host of the session. */
function worker(options: Partial<AgentOptions> = {}, left: Readonly<Record<string, unknown>> | null = null) {
  const fake = fakeWorkerLink(left);
  const { host, agent } = createMemoryPair();
  const ephemeral: unknown[] = [];
  const send: Transport['send'] = (batch: Batch, sendOptions) => {
    for (const message of batch.messages()) if (message.ephemeral) ephemeral.push(JSON.parse(message.text).type);
    return agent.send(batch, sendOptions);
  };
  const transport = wrapTransport(agent, { worker: fake.link, hasMessageIds: true, send });
  let handle: AgentHandle | undefined;
  const outcome = runAgent(transport, {
    async *runTurn({ prompt }) {
      fake.link.internalEvents.append('user', {});
      yield assistant(textOf(prompt));
    },
    onStart: (started) => (handle = started),
    ...options,
  });
  const session = createSession(host, { handlers: { can_use_tool: () => ({ behavior: 'allow' }) } });
  const items = session[Symbol.asyncIterator]();
  const messages: WireMessage[] = [];
  const until = async (type: string) => {
    for (;;) {
      const { done, value } = await items.next();
      if (done === true) return;
      if (value.kind !== 'message') continue;
      messages.push(value.message);
      if (value.message.type === type) return;
    }
  };
  return { ...fake, session, outcome, messages, until, ephemeral, handle: () => handle as AgentHandle };
}

const deliveries = (reports: readonly unknown[][]) =>
  reports.filter(([kind]) => kind === 'delivery').map((one) => one.slice(1));

verifies(
  'REM-41',
  'a prompt is reported by its uuid as processing at the start of its turn, and as processed at the end',
  async () => {
    const { session, reports, until } = worker();
    void session.emit(user('one', { uuid: 'u1' }));
    void session.emit(user('two', { uuid: 'u2' }));
    await until('result');
    for (const id of ['u1', 'u2']) {
      const expected = [
        [id, 'processing'],
        [id, 'processed'],
      ];
      await vi.waitFor(() => expect(deliveries(reports).filter(([uuid]) => uuid === id)).toEqual(expected));
    }
    await session.close();
  },
);

verifies(
  'REM-40',
  'cancelled prompts, control requests and other messages with an id are reported as processed',
  async () => {
    const { session, reports, until } = worker({
      async *runTurn({ signal }) {
        yield assistant('working');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    void session.emit(user('runs', { uuid: 'u1' }));
    await until('assistant');
    void session.emit(user('waits', { uuid: 'u2', shouldQuery: false }));
    session.outbound.enqueue({ type: 'update_environment_variables', variables: {}, uuid: 'u3' });
    session.outbound.enqueue({
      type: 'control_request',
      request_id: 'r',
      uuid: 'u4',
      request: { subtype: 'interrupt', cancel_queued: true },
    });
    await until('result');
    const processed = () => deliveries(reports).flatMap(([uuid, state]) => (state === 'processed' ? [uuid] : []));
    await vi.waitFor(() => expect(new Set(processed())).toEqual(new Set(['u1', 'u2', 'u3', 'u4'])));
    await session.close();
  },
);

describe('state and metadata of a worker', () => {
  verifies(
    ['WRK-27', 'WRK-28', 'WORKER-10'],
    'are reported with the pending action, and with settings when they change',
    async () => {
      const { session, reports, until } = worker({
        permissions: { promptTool: 'stdio' },
        async *runTurn(turn) {
          await turn.canUseTool('Bash', { command: 'ls', description: 'list files' }, 'T1');
          yield assistant('done');
        },
      });
      void session.emit(user('go'));
      await until('result');
      expect(reports.filter(([kind]) => kind === 'state')).toMatchObject([
        ['state', 'running'],
        [
          'state',
          'requires_action',
          { tool_name: 'Bash', action_description: 'list files', raw_command: 'ls', tool_use_id: 'T1' },
        ],
        ['state', 'running'],
      ]);
      const actions = reports.filter(([kind, patch]) => kind === 'metadata' && 'pending_action' in (patch as object));
      expect(actions.map(([, patch]) => patch)).toMatchObject([
        { pending_action: null },
        { pending_action: { tool_name: 'Bash', input: { command: 'ls' } } },
        { pending_action: null },
      ]);
      await session.request({ subtype: 'set_model', model: 'other' });
      await session.request({ subtype: 'set_permission_mode', mode: 'plan' });
      const settings = reports.filter(
        ([kind, patch]) => kind === 'metadata' && !('pending_action' in (patch as object)),
      );
      expect(settings.map(([, patch]) => patch)).toEqual([{ model: 'other' }, { permission_mode: 'plan' }]);
      await session.close();
    },
  );

  verifies('WORKER-7', 'of an earlier worker apply from the first turn on, and null changes nothing', async () => {
    const seen: unknown[] = [];
    const runTurn: AgentOptions['runTurn'] = async function* ({ model, permissionMode }) {
      seen.push([model, permissionMode]);
      yield assistant('ok');
    };
    const own = { runTurn, models: { initial: 'own' }, permissions: { mode: 'acceptEdits' } };
    const pending_action = { tool_name: 'Bash' };
    for (const left of [
      { model: 'left', permission_mode: 'plan', pending_action },
      { model: 7, permission_mode: 'no such mode' },
      { permission_mode: 'bypassPermissions' },
      null,
    ]) {
      const { session, until, handle } = worker(own, left);
      void session.emit(user('go'));
      await until('result');
      expect(await handle().restoredWorkerState).toEqual(left);
      await session.close();
    }
    expect(seen).toEqual([
      ['left', 'plan'],
      ['own', 'acceptEdits'],
      ['own', 'acceptEdits'],
      ['own', 'acceptEdits'],
    ]);
  });
});

describe('the transcript of a worker', () => {
  verifies('WORKER-9', 'is flushed at the end of each turn before idle, and at the end of the session', async () => {
    const { session, reports, until, link, outcome } = worker();
    void session.emit(user('go', { uuid: 'u1' }));
    await until('result');
    await session.end();
    await outcome;
    const kinds = reports.filter(([kind, state]) => kind === 'kept' || state === 'idle' || state === 'u1');
    expect(kinds).toEqual([
      ['delivery', 'u1', 'processing'],
      ['kept', 1],
      ['delivery', 'u1', 'processed'],
      ['state', 'idle'],
      ['kept', 0],
    ]);
    expect(link.internalEvents.pending).toBe(0);
  });

  verifies('WORKER-9', 'can be flushed and inspected by the owner through the worker link', async () => {
    const { session, reports, link, handle } = worker();
    await session.request({ subtype: 'mcp_status' });
    const { worker: duties } = handle();
    link.internalEvents.append('user', {});
    expect(duties?.internalEvents.pending).toBe(1);
    await duties?.internalEvents.flush();
    expect([duties?.internalEvents.pending, reports]).toEqual([0, [['kept', 1]]]);
    await session.close();
  });

  test('that cannot be stored is reported once', async () => {
    const { session, until, messages, fate } = worker();
    for (const uuid of ['u1', 'u2']) {
      fate.refused = 413;
      void session.emit(user('go', { uuid }));
      await until('result');
    }
    await session.request({ subtype: 'mcp_status' });
    await session.end();
    await until('end');
    expect(messages.filter(({ subtype }) => subtype === 'session_writes_lost')).toMatchObject([
      { error_code: 'HTTP_413', lost: ['transcript'] },
    ]);
  });
});

verifies(
  ['REM-16', 'REM-17'],
  'increments are ephemeral if messages have ids, because the whole message follows',
  async () => {
    const { session, ephemeral, until } = worker({
      output: { partialMessages: true },
      async *runTurn() {
        yield { type: 'stream_event', event: { type: 'message_start' }, parent_tool_use_id: null };
        yield { type: 'system', subtype: 'thinking_tokens', estimated_tokens: 1 };
        yield assistant('whole');
      },
    });
    void session.emit(user('go'));
    await until('result');
    expect(ephemeral).toEqual(['stream_event', 'system']);
    await session.close();
  },
);

test('messages of subagents are stored separately and visible to later turns', async () => {
  const appended: unknown[] = [];
  const shown: unknown[] = [];
  const { session, turn } = agentPeer({
    session: {
      store: {
        has: () => false,
        add: () => {},
        append: ({ type }) => void appended.push(type),
        appendSubagent: ({ type, uuid }, agentID) => void appended.push([agentID, type, typeof uuid]),
      },
      subagentHistory: new Map([['T0', [assistant('before')]]]),
    },
    async *runTurn({ subagentHistory }) {
      shown.push(Array.from(subagentHistory, ([id, said]) => [id, said.length]));
      yield assistant('inner', { parent_tool_use_id: 'T1' });
      yield assistant('outer');
    },
  });
  for (const text of ['one', 'two']) {
    void session.emit(user(text));
    await turn();
  }
  expect(shown).toEqual([
    [['T0', 1]],
    [
      ['T0', 1],
      ['T1', 1],
    ],
  ]);
  expect(appended.slice(0, 3)).toEqual(['user', ['T1', 'assistant', 'string'], 'assistant']);
  await session.close();
});
