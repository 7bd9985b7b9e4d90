import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test, vi } from 'vitest';
import { agentPeer, assistant, user } from '../agent-peer.test-support.ts';
import type { RunTurn } from '../turns/turn.ts';

describe('a host of an agent', () => {
  test('renames the session, which the agent reports', async () => {
    const { session, until } = agentPeer();
    void session.request({ subtype: 'rename_session', title: 'Refactoring' });
    expect((await until(() => true))[0]).toMatchObject({ subtype: 'session_title_changed', title: 'Refactoring' });
    const other = session.request({ subtype: 'rename_session', title: 'x', session_id: 'another' });
    await expect(other).rejects.toThrow('session_id is not the id of the current session');
  });

  test.each([
    ['end_session', {}],
    ['set_has_subscribers', { has_subscribers: null }],
    ['seed_read_state', { path: '/a', mtime: 1 }],
    ['stop_task', { task_id: 'over' }],
  ])('gets a success for %s', async (subtype, members) => {
    await expect(agentPeer().session.request({ subtype, ...members })).resolves.toEqual({});
  });

  test.each(['set_color', 'can_use_tool', 'hook_callback', 'get_context_usage', 'toString', ''])(
    'gets an error that %j is not supported, unless the agent serves it',
    async (subtype) => {
      const { session } = agentPeer();
      await expect(session.request({ subtype })).rejects.toMatchObject({ code: 'unsupported_request' });
      const able = agentPeer({ handlers: { [subtype]: () => ({ served: true }) } });
      await expect(able.session.request({ subtype })).resolves.toEqual({ served: true });
    },
  );

  test('reads the current capabilities of the agent each time', async () => {
    const commands = [{ name: 'review' }];
    const initializeResponse = () => ({
      commands: [...commands],
      models: [{ value: 'm' }],
      available_output_styles: ['s'],
    });
    const { session } = agentPeer({ initializeResponse });
    await session.request({ subtype: 'initialize' });
    commands.push({ name: 'plan' });
    const ask = (subtype: string) => session.request({ subtype });
    await expect(ask('reload_skills')).resolves.toEqual({ skills: commands });
    await expect(ask('list_models')).resolves.toEqual({ models: [{ value: 'm' }] });
    await expect(ask('reload_output_styles')).resolves.toEqual({ available_output_styles: ['s'] });
    await expect(ask('reload_plugins')).resolves.toEqual({
      commands,
      agents: [],
      plugins: [],
      mcpServers: [],
      error_count: 0,
    });
  });

  test('changes settings over the settings of the command line, and clears them', async () => {
    const onSettings = vi.fn();
    const { session } = agentPeer({ onSettings, models: { initial: 'm' } });
    const apply = (settings: unknown) => session.request<unknown>({ subtype: 'apply_flag_settings', settings });
    await apply({ theme: 'dark', effort: 1 });
    await apply({ theme: null });
    expect(onSettings.mock.calls).toEqual([
      [{ theme: 'dark', effort: 1 }, 'flagSettings'],
      [{ theme: null }, 'flagSettings'],
    ]);
    await expect(session.request({ subtype: 'get_settings' })).resolves.toEqual({
      effective: { effort: 1 },
      sources: [{ source: 'flagSettings', settings: { effort: 1 } }],
      applied: { model: 'm' },
    });
    await expect(apply('dark')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('writes few settings permanently, if the agent stores settings', async () => {
    const onSettings = vi.fn();
    const { session } = agentPeer({ onSettings });
    const write = (source: string, settings: object) =>
      session.request<unknown>({ subtype: 'update_settings', source, settings });
    await expect(write('localSettings', { outputStyle: 'plain' })).resolves.toEqual({});
    expect(onSettings.mock.calls).toEqual([[{ outputStyle: 'plain' }, 'localSettings']]);
    await expect(write('userSettings', { outputStyle: 'plain' })).rejects.toThrow('cannot be written');
    await expect(write('localSettings', { outputStyle: 7 })).rejects.toThrow('cannot be written');
    const keepsNone = agentPeer().session.request({
      subtype: 'update_settings',
      source: 'localSettings',
      settings: { outputStyle: 'plain' },
    });
    await expect(keepsNone).rejects.toThrow('cannot be written');
  });

  test('reads the end of the output of a background task', async () => {
    let taskId = '';
    const runTurn: RunTurn = async function* (turn) {
      const run = (signal: AbortSignal) =>
        new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      const output = () => `${'é'.repeat(5000)}end`;
      taskId = turn.background({ description: 'Build', task_type: 'local_bash', run, output });
      yield assistant('started');
    };
    const { session, turn, rest } = agentPeer({ runTurn });
    void session.emit(user('go'));
    await turn();
    const { output, ...about } = await session.request<{ output: string }>({
      subtype: 'get_task_output',
      task_id: taskId,
    });
    expect(about).toEqual({ total_bytes: 10_003, truncated: true });
    expect(output).toMatch(/é{4000}end$/);
    await expect(session.request({ subtype: 'get_task_output', task_id: 'x' })).rejects.toThrow(
      'the task does not exist',
    );
    await session.request({ subtype: 'stop_task', task_id: taskId });
    await rest();
  });
});

describe('a turn with its context', () => {
  verifies('AGENT-4', 'has the loaded history, the values of initialize and the current capabilities', async () => {
    const seen: unknown[] = [];
    const tools = [{ name: 'Bash' }];
    const runTurn: RunTurn = async function* (turn) {
      const { agents, appendSystemPrompt } = turn.initialize;
      seen.push({
        history: turn.history.length,
        tools: turn.tools.map(({ name }) => name),
        commands: turn.initializeResponse['commands'],
        agents,
        appendSystemPrompt,
        model: turn.model,
      });
      yield assistant('ok');
    };
    const initializeResponse = ({ skills }: { skills?: unknown }) => ({ commands: skills ?? [] });
    const options = {
      runTurn,
      initializeResponse,
      tools: () => tools,
      session: { history: [assistant('earlier')] },
      models: { initial: 'm' },
    };
    const { session, turn } = agentPeer(options);
    void session.emit(user('go'));
    await turn();
    const agents = { helper: { description: 'Helps', prompt: 'Help' } };
    await session.request({ subtype: 'initialize', agents, appendSystemPrompt: 'Be brief.', skills: ['review'] });
    await session.request({ subtype: 'set_model', model: 'n' });
    tools.push({ name: 'Read' });
    void session.emit(user('go on'));
    await turn();
    expect(seen).toEqual([
      { history: 2, tools: ['Bash'], commands: [], agents: undefined, appendSystemPrompt: undefined, model: 'm' },
      {
        history: 4,
        tools: ['Bash', 'Read'],
        commands: ['review'],
        agents,
        appendSystemPrompt: 'Be brief.',
        model: 'n',
      },
    ]);
  });
});
