import { client, type ClientContext, methods, type SessionUpdate } from '@agentclientprotocol/sdk';
import { type AgentOptions, runAgent, textOf } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair } from '@proto/core/transport';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { streamOver } from '../transport-stream.ts';
import { connectEditor } from './connect-editor.ts';
import { type AgentStart, localSessions, type LocalSessionsOptions } from './local-sessions.ts';

const reply = (text: string): WireMessage => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: `msg_${text}`, role: 'assistant', content: [{ type: 'text', text }] },
});

/** An agent that asks for permission before it answers a prompt that begins with `!` or `?`. For `?`, it asks before it sends the call. */
const runTurn: AgentOptions['runTurn'] = async function* ({ prompt, canUseTool, signal }) {
  const text = textOf(prompt);
  if (text === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
  if (text === 'fail') throw new Error('the model is not available');
  if (!/^[!?]/.test(text)) return yield reply(text);
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: text.slice(1) } };
  const early = text.startsWith('?') ? await canUseTool('Bash', call.input, 't1') : undefined;
  yield {
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id: 'msg_call', role: 'assistant', content: [call] },
  };
  const { behavior } = early ?? (await canUseTool('Bash', call.input, 't1'));
  const result = { type: 'tool_result', tool_use_id: 't1', content: behavior, is_error: behavior !== 'allow' };
  yield { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: [result] } };
  yield reply('done');
};

/** Connects a client of the published library, and runs a test with it. */
async function withEditor(
  run: (editor: {
    readonly agent: ClientContext;
    readonly events: readonly unknown[];
    readonly updates: readonly SessionUpdate[];
    readonly starts: readonly AgentStart[];
    answer: (options: readonly { readonly optionId: string; readonly kind: string }[]) => object | Promise<object>;
  }) => Promise<void>,
  options: Partial<LocalSessionsOptions> & { readonly agent?: Partial<AgentOptions> } = {},
): Promise<void> {
  const events: unknown[] = [];
  const updates: SessionUpdate[] = [];
  const starts: AgentStart[] = [];
  const editor = { answer: () => ({ outcome: 'cancelled' }) } as unknown as Parameters<typeof run>[0];
  const pair = createMemoryPair();
  const sessions = localSessions({
    start: (started) => {
      starts.push(started);
      const { agent, host } = createMemoryPair();
      runAgent(agent, { runTurn, permissions: { prompts: 'host' }, ...options.agent }).catch(() => {});
      return host;
    },
    ...options,
  });
  connectEditor(pair.agent, { sessions });
  await client()
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      events.push(['asked', params.toolCall.toolCallId]);
      return { outcome: (await editor.answer(params.options)) as never };
    })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      updates.push(update);
      events.push([update.sessionUpdate, 'toolCallId' in update ? update.toolCallId : undefined]);
    })
    .connectWith(streamOver(pair.host), async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      await run(Object.assign(editor, { agent, events, updates, starts }));
    });
}

const opened = (agent: ClientContext) => agent.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] });
const prompting = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
const textIn = (updates: readonly SessionUpdate[]) =>
  updates
    .flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && 'text' in update.content ? [update.content.text] : [],
    )
    .join('');

verifies('EDITOR-3', 'a prompt is answered when its updates have been sent', () =>
  withEditor(async ({ agent, updates, starts }) => {
    const { sessionId, modes, configOptions } = await opened(agent);
    expect(starts).toEqual([expect.objectContaining({ cwd: '/work' })]);
    expect(starts[0]?.args).toEqual(
      expect.arrayContaining([`--session-id=${sessionId}`, '--include-partial-messages']),
    );
    expect(modes?.currentModeId).toBe('default');
    expect(configOptions?.map(({ id }) => id)).toEqual(['mode']);
    expect(await prompting(agent, sessionId, 'hello')).toEqual({ stopReason: 'end_turn' });
    expect(textIn(updates)).toBe('hello');
  }),
);

verifies('EDITOR-3', 'a turn that fails is an error with the text of the agent, and the session goes on', () =>
  withEditor(async ({ agent }) => {
    const { sessionId } = await opened(agent);
    await expect(prompting(agent, sessionId, 'fail')).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringContaining('the model is not available'),
    });
    expect(await prompting(agent, sessionId, 'still here')).toEqual({ stopReason: 'end_turn' });
  }),
);

const choose = (kind: string) => (options: readonly { readonly optionId: string; readonly kind: string }[]) => ({
  outcome: 'selected',
  optionId: options.find((option) => option.kind === kind)?.optionId,
});

describe.each(['!', '?'])('a call of which the agent asks (%s)', (mark) => {
  verifies('EDITOR-2', 'is shown before its permission request, and ends', () =>
    withEditor(async (editor) => {
      const { agent, events, updates } = editor;
      editor.answer = choose('allow_once');
      const { sessionId } = await opened(agent);
      await prompting(agent, sessionId, `${mark}ls`);
      const ofCall = events.flatMap((event) => (Array.isArray(event) && event[1] === 't1' ? [event[0]] : []));
      expect(ofCall).toEqual(['tool_call', 'asked', 'tool_call_update']);
      expect(updates.at(-1)).toMatchObject({ sessionUpdate: 'agent_message_chunk' });
      editor.answer = choose('reject_once');
      await prompting(agent, sessionId, `${mark}ls`);
      expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')).toMatchObject([
        { status: 'completed' },
        { status: 'failed' },
      ]);
    }),
  );
});

verifies('EDITOR-4', 'a cancel ends the running and the waiting prompt', () =>
  withEditor(async ({ agent }) => {
    const { sessionId } = await opened(agent);
    const running = prompting(agent, sessionId, 'wait');
    const waiting = prompting(agent, sessionId, 'next');
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(await waiting).toEqual({ stopReason: 'cancelled' });
    expect(await prompting(agent, sessionId, 'again')).toEqual({ stopReason: 'end_turn' });
  }),
);

verifies('EDITOR-4', 'a cancel withdraws an open permission request', () =>
  withEditor(async (editor) => {
    const { agent, updates } = editor;
    const asked = new Promise<void>((resolve) => {
      editor.answer = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const { sessionId } = await opened(agent);
    const running = prompting(agent, sessionId, '!ls');
    await asked;
    await agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await running).toEqual({ stopReason: 'cancelled' });
    expect(updates.findLast(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')).toMatchObject({
      status: 'failed',
    });
  }),
);

verifies('EDITOR-6', 'the mode in effect is published, once', () =>
  withEditor(async ({ agent, updates }) => {
    const { sessionId } = await opened(agent);
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
    const answer = await agent.request(methods.agent.session.setConfigOption, {
      sessionId,
      configId: 'mode',
      value: 'acceptEdits',
    });
    expect(answer.configOptions[0]).toMatchObject({ id: 'mode', currentValue: 'acceptEdits' });
    await expect(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'no-such' })).rejects.toMatchObject({
      code: -32_602,
    });
    await prompting(agent, sessionId, 'hello');
    const published = updates.flatMap((update) =>
      update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : [],
    );
    expect(published).toEqual(['plan', 'acceptEdits']);
  }),
);

verifies('EDITOR-7', 'MCP servers are passed through the input of the agent', async () => {
  let given: unknown;
  const onSetServers = (servers: unknown) => {
    given = servers;
    return {};
  };
  await withEditor(
    async ({ agent, starts }) => {
      const env = [{ name: 'TOKEN', value: 'the-token' }];
      const headers = [{ name: 'authorization', value: 'the-header' }];
      await agent.request(methods.agent.session.new, {
        cwd: '/work',
        mcpServers: [
          { name: 'files', command: '/bin/files', args: ['-x'], env },
          { type: 'http', name: 'web', url: 'https://a.example', headers },
        ],
      });
      expect(JSON.stringify(starts)).not.toMatch(/the-token|the-header/);
      expect(starts[0]?.args).toContain('--await-initialize');
    },
    { agent: { mcp: { onSetServers } } },
  );
  expect(given).toEqual({
    files: { type: 'stdio', command: '/bin/files', args: ['-x'], env: { TOKEN: 'the-token' } },
    web: { type: 'http', url: 'https://a.example', headers: { authorization: 'the-header' } },
  });
});

verifies('EDITOR-5', 'a stored conversation is sent before the answer to session/load', () =>
  withEditor(
    async ({ agent, updates, starts }) => {
      const { sessions } = await agent.request(methods.agent.session.list, { cwd: '/work' });
      expect(sessions).toEqual([{ sessionId: 's1', cwd: '/work', title: 'a title' }]);
      await agent.request(methods.agent.session.load, { sessionId: 's1', cwd: '/work', mcpServers: [] });
      expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(['user_message_chunk', 'agent_message_chunk']);
      expect(starts[0]?.args).toContain('--resume=s1');
      await expect(
        agent.request(methods.agent.session.load, { sessionId: 's2', cwd: '/work', mcpServers: [] }),
      ).rejects.toMatchObject({ code: -32_002 });
      await expect(
        agent.request(methods.agent.session.resume, { sessionId: 's2', cwd: '/work' }),
      ).rejects.toMatchObject({ code: -32_002 });
      await agent.request(methods.agent.session.delete, { sessionId: 's1' });
      await expect(prompting(agent, 's1', 'hello')).rejects.toMatchObject({ code: -32_002 });
    },
    {
      conversations: {
        list: async (cwd) => [{ sessionId: 's1', cwd: cwd ?? '/', title: 'a title' }],
        read: async (sessionId) =>
          sessionId === 's1'
            ? [{ type: 'user', uuid: 'u1', message: { role: 'user', content: 'before' } }, reply('answered')]
            : undefined,
        delete: async () => {},
      },
    },
  ),
);

test('the effort is an option if the model has efforts', async () => {
  const settings: unknown[] = [];
  const offered = { value: 'm1', displayName: 'M1', description: 'a model', supportedEffortLevels: ['low', 'high'] };
  await withEditor(
    async ({ agent }) => {
      const { sessionId, configOptions } = await opened(agent);
      expect(configOptions?.find(({ id }) => id === 'effort')).toMatchObject({
        category: 'thought_level',
        currentValue: 'default',
        options: [{ value: 'default' }, { value: 'low' }, { value: 'high' }],
      });
      const change = (value: string) =>
        agent.request(methods.agent.session.setConfigOption, { sessionId, configId: 'effort', value });
      const changed = await change('high');
      expect(changed.configOptions.find(({ id }) => id === 'effort')).toMatchObject({ currentValue: 'high' });
      await change('default');
      await expect(change('max')).rejects.toMatchObject({ code: -32_602 });
      expect(settings).toEqual([{ effortLevel: 'high' }, { effortLevel: null }]);
    },
    {
      agent: {
        initializeResponse: () => ({ models: [offered] }),
        handlers: {
          apply_flag_settings: (request) => {
            settings.push(request['settings']);
            return {};
          },
        },
      },
    },
  );
});

test('an agent that does not start is an error of session/new', () =>
  withEditor(
    async ({ agent }) => {
      await expect(opened(agent)).rejects.toMatchObject({
        code: -32_603,
        message: expect.stringContaining('did not start'),
      });
    },
    {
      start: () => {
        const pair = createMemoryPair();
        void pair.agent.close();
        return pair.host;
      },
    },
  ));
