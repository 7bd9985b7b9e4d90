import {
  agent,
  type AgentContext,
  methods,
  type NewSessionRequest,
  type PermissionOption,
  type PromptRequest,
  type SessionUpdate,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import { runAgent } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair } from '@proto/core/transport';
import type { HeadlessOptions, HeadlessTurn } from '@proto/headless';
import { createHostSession, type HostSession } from '@proto/host';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { streamOver } from '../transport-stream.ts';
import { type AcpAgentOptions, createAcpAgent } from './create-acp-agent.ts';

const OPTIONS: PermissionOption[] = [
  { kind: 'allow_always', name: 'Always', optionId: 'always' },
  { kind: 'allow_once', name: 'Once', optionId: 'once' },
  { kind: 'reject_once', name: 'No', optionId: 'no' },
];

/** What a scripted agent does in a turn: it sends updates, and asks for permissions. */
interface ScriptedTurn {
  readonly request: PromptRequest;
  update(update: SessionUpdate): Promise<void>;
  ask(toolCall: ToolCallUpdate, options?: PermissionOption[]): Promise<unknown>;
  readonly client: AgentContext;
  readonly cancelled: Promise<void>;
}

type StopReason = 'end_turn' | 'cancelled' | 'max_turn_requests' | 'refusal';

interface Scenario extends Partial<AcpAgentOptions> {
  /** Returns why the turn ended. */
  readonly turn: (turn: ScriptedTurn) => Promise<StopReason>;
  readonly flags?: Partial<HeadlessOptions>;
  readonly history?: readonly WireMessage[];
  readonly capabilities?: object;
  readonly session?: object;
  readonly canUseTool?: ((request: { readonly input: object; readonly suggestions: number }) => object) | undefined;
  readonly hooks?: HostHooks;
}

type HostHooks = NonNullable<Parameters<typeof createHostSession>[1]>['hooks'];

/** What the scripted agent was asked for. */
interface Asked {
  readonly opened: object[];
  readonly settings: object[];
}

/** Runs a scripted agent of the published library as the agent of a host. */
async function withAgent(
  scenario: Scenario,
  use: (host: HostSession, asked: Asked) => Promise<void>,
  acp = createMemoryPair(),
): Promise<void> {
  const asked: Asked = { opened: [], settings: [] };
  let cancel = () => {};
  const opening = (params: object) => {
    asked.opened.push(params);
    return { ...scenario.session };
  };
  agent({ name: 'scripted' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentInfo: { name: 'scripted', version: '1' },
      agentCapabilities: { ...scenario.capabilities },
    }))
    .onRequest(methods.agent.session.new, ({ params }: { params: NewSessionRequest }) => ({
      sessionId: `s${asked.opened.length + 1}`,
      ...opening(params),
    }))
    .onRequest(methods.agent.session.load, async ({ params, client }) => {
      const content = { type: 'text', text: 'an old text' } as const;
      await client.notify(methods.client.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content },
      });
      return opening(params);
    })
    .onRequest(methods.agent.session.setMode, ({ params }) => {
      asked.settings.push({ mode: params.modeId });
      return {};
    })
    .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
      asked.settings.push({ [params.configId]: params.value });
      return { configOptions: [] };
    })
    .onRequest(methods.agent.session.prompt, async ({ params: request, client }) => {
      const { sessionId } = request;
      const cancelled = new Promise<void>((resolve) => (cancel = resolve));
      const stopReason = await scenario.turn({
        request,
        client,
        cancelled,
        update: (update) => client.notify(methods.client.session.update, { sessionId, update }),
        ask: async (toolCall, options = OPTIONS) =>
          (await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options })).outcome,
      });
      return { stopReason };
    })
    .onNotification(methods.agent.session.cancel, () => cancel())
    .connect(streamOver(acp.agent));

  const environment = createAcpAgent({ start: () => acp.host, ...scenario });
  const options = { outputFormat: 'stream-json', inputFormat: 'stream-json', ...scenario.flags } as const;
  const exits: (() => unknown)[] = [];
  const added = await environment.agentOptions?.(
    { options, onExit: (cleanUp) => void exits.push(() => cleanUp({ code: 0, reason: 'ended' })) },
    { sessionId: 'x', history: scenario.history ?? [] },
  );
  const pair = createMemoryPair();
  const ended = runAgent(pair.agent, {
    ...added,
    runTurn: (turn) => environment.runTurn(turn as HeadlessTurn),
    permissions: { prompts: 'host', ...added?.permissions },
    output: { partialMessages: true },
  });
  const host = createHostSession(pair.host, {
    ...(scenario.hooks && { hooks: scenario.hooks }),
    canUseTool: ({ input, permission_suggestions: suggestions = [] }) =>
      (scenario.canUseTool?.({ input, suggestions: suggestions.length }) ?? {
        behavior: 'deny',
        message: 'Not here.',
      }) as never,
  });
  try {
    await use(host, asked);
  } finally {
    await host.close();
    await ended;
    for (const exit of exits) await exit();
  }
}

/** The messages of a turn, without the members that differ each time. */
async function turnOf(host: HostSession, prompt = 'go'): Promise<readonly WireMessage[]> {
  host.prompt(prompt);
  const messages: WireMessage[] = [];
  for await (const message of host.untilResult()) messages.push(message);
  return messages;
}

/** The blocks of the conversation in a few words. */
function shown(messages: readonly WireMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.type === 'result') return [`${String(message['subtype'])}: ${String(message['result'])}`];
    if (message.type !== 'assistant' && message.type !== 'user') return [];
    const { content } = message['message'] as { content: readonly Readonly<Record<string, unknown>>[] };
    return content.map(({ type, text, thinking, name, input, content: result, is_error: isError }) => {
      const cut = message['aborted'] === true ? ' (aborted)' : '';
      if (type === 'tool_use') return `${String(name)} ${JSON.stringify(input)}`;
      if (type === 'tool_result') return `${isError === true ? 'failed' : 'done'}: ${String(result)}`;
      return `${String(type)}: ${String(text ?? thinking)}${cut}`;
    });
  });
}

const chunk = (text: string, messageId?: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});
const BASH = { toolCallId: 'c1', title: 'npm test', kind: 'execute', rawInput: { command: 'npm test' } } as const;

describe('the messages of a turn', () => {
  verifies('EDITOR-9', 'texts, thoughts and calls arrive once and in order, and the result has the last text', () =>
    withAgent(
      {
        async turn({ update }) {
          await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
          await update(chunk('one ', 'm1'));
          await update(chunk('two', 'm1'));
          await update({ sessionUpdate: 'tool_call', ...BASH, status: 'pending' });
          await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress' });
          const content = [{ type: 'content', content: { type: 'text', text: 'all green' } }] as const;
          await update({
            sessionUpdate: 'tool_call_update',
            toolCallId: 'c1',
            status: 'completed',
            content: [...content],
          });
          await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' });
          await update(chunk('three', 'm2'));
          await update(chunk('four', 'm3'));
          return 'end_turn';
        },
      },
      async (host) => {
        expect(shown(await turnOf(host))).toEqual([
          'thinking: hm',
          'text: one two',
          'Bash {"description":"npm test","command":"npm test"}',
          'done: all green',
          'text: three',
          'text: four',
          'success: four',
        ]);
      },
    ),
  );

  verifies('EDITOR-9', 'a call whose input comes later is sent with its input, and a call without a result fails', () =>
    withAgent(
      {
        async turn({ update }) {
          await update({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Edit', kind: 'edit', status: 'pending' });
          const diff = { type: 'diff', path: '/w/a', oldText: 'x', newText: 'y' } as const;
          await update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', rawInput: {}, content: [diff] });
          await update({ sessionUpdate: 'tool_call', toolCallId: 'b', title: 'look', kind: 'search' });
          return 'end_turn';
        },
      },
      async (host) => {
        expect(shown(await turnOf(host))).toEqual([
          'Edit {"old_string":"x","new_string":"y","file_path":"/w/a"}',
          'failed: The agent did not report a result.',
          'Grep {"description":"look"}',
          'failed: The agent did not report a result.',
          'success: ',
        ]);
      },
    ),
  );

  test('a plan is sent as a call of TodoWrite, and a limit of the agent as an error', () =>
    withAgent(
      {
        async turn({ update }) {
          await update({
            sessionUpdate: 'plan',
            entries: [{ content: 'test', priority: 'high', status: 'in_progress' }],
          });
          return 'max_turn_requests';
        },
      },
      async (host) => {
        expect(shown(await turnOf(host))).toEqual([
          'TodoWrite {"todos":[{"content":"test","status":"in_progress","activeForm":"test"}]}',
          'done: The plan has been changed.',
          expect.stringMatching(/^error_max_turns/),
        ]);
      },
    ));

  verifies('EDITOR-13', 'what cannot be passed on is reported once', () =>
    withAgent(
      {
        async turn({ update }) {
          for (let at = 0; at < 3; at += 1)
            await update({
              sessionUpdate: 'agent_message_chunk',
              content: { type: 'audio', data: '', mimeType: 'audio/mp3' },
            });
          return 'end_turn';
        },
      },
      async (host) => {
        const reports = async () =>
          (await turnOf(host)).filter(({ subtype }) => subtype === 'informational').map(({ content }) => content);
        expect(await reports()).toEqual([expect.stringContaining('content of the type audio')]);
        expect(await reports()).toEqual([]);
      },
    ),
  );
});

describe('permissions', () => {
  const asking =
    (outcomes: unknown[], options?: PermissionOption[]): Scenario['turn'] =>
    async ({ update, ask }) => {
      await update({ sessionUpdate: 'tool_call', ...BASH, status: 'pending' });
      outcomes.push(await ask({ toolCallId: 'c1' }, options));
      return 'end_turn';
    };
  const allowed = (more: object = {}) => ({ behavior: 'allow', ...more });
  const rules = [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }];
  const cases: readonly [string, Scenario['canUseTool'], object][] = [
    ['an approval allows the call once', () => allowed(), { outcome: 'selected', optionId: 'once' }],
    [
      'an approval of the rules allows it for good',
      () => allowed({ updatedPermissions: rules }),
      { outcome: 'selected', optionId: 'always' },
    ],
    ['a denial rejects it', () => ({ behavior: 'deny', message: 'No.' }), { outcome: 'selected', optionId: 'no' }],
    [
      'a changed input rejects it',
      () => allowed({ updatedInput: { command: 'ls' } }),
      { outcome: 'selected', optionId: 'no' },
    ],
    [
      'the same input in another order allows it',
      ({ input }) => allowed({ updatedInput: Object.fromEntries(Object.entries(input).toReversed()) }),
      { outcome: 'selected', optionId: 'once' },
    ],
    [
      'a denial that ends the turn cancels it',
      () => ({ behavior: 'deny', message: 'Stop.', interrupt: true }),
      { outcome: 'cancelled' },
    ],
  ];
  for (const [what, canUseTool, outcome] of cases)
    verifies('EDITOR-10', what, async () => {
      const outcomes: unknown[] = [];
      await withAgent({ turn: asking(outcomes), canUseTool }, async (host) => {
        const messages = shown(await turnOf(host));
        expect(messages[0]).toBe('Bash {"description":"npm test","command":"npm test"}');
      });
      expect(outcomes).toEqual([outcome]);
    });

  verifies('EDITOR-10', 'the host is asked about the input that the agent sends with its request', async () => {
    const asked: unknown[] = [];
    const turn: Scenario['turn'] = async ({ update, ask }) => {
      const early = { toolCallId: 'c1', title: 'bash', kind: 'execute', rawInput: {} } as const;
      await update({ sessionUpdate: 'tool_call', ...early, status: 'pending' });
      await ask({ toolCallId: 'c1', title: 'rm -r build', rawInput: { command: ['rm', '-r', 'a b'] } });
      await update({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress' });
      await ask({ toolCallId: 'c1', rawInput: { command: 'rm -r /' } });
      return 'end_turn';
    };
    const canUseTool: Scenario['canUseTool'] = ({ input }) => (asked.push(input), allowed());
    await withAgent({ turn, canUseTool }, async (host) => void (await turnOf(host)));
    expect(asked).toEqual([
      { description: 'rm -r build', command: "rm -r 'a b'" },
      { description: 'rm -r build', command: 'rm -r /' },
    ]);
  });

  verifies('EDITOR-10', 'a call is rejected if the agent offers only a permission for good', async () => {
    const outcomes: unknown[] = [];
    const options = OPTIONS.filter(({ kind }) => kind !== 'allow_once');
    await withAgent({ turn: asking(outcomes, options), canUseTool: () => allowed() }, async (host) => {
      expect(shown(await turnOf(host))).toContain('failed: The agent does not offer to allow only this call.');
    });
    expect(outcomes).toEqual([{ outcome: 'selected', optionId: 'no' }]);
  });

  verifies('EDITOR-10', 'the result of a denied call is the message of the host', async () => {
    await withAgent(
      { turn: asking([]), canUseTool: () => ({ behavior: 'deny', message: 'Not on Fridays.' }) },
      async (host) => {
        const messages = await turnOf(host);
        expect(shown(messages)).toContain('failed: Not on Fridays.');
        expect(messages.at(-1)?.['permission_denials']).toEqual([expect.objectContaining({ tool_use_id: 'c1' })]);
      },
    );
  });

  test('the modes decide without a question', async () => {
    const outcomes: unknown[] = [];
    const ask = () => {
      throw new Error('The host was asked.');
    };
    await withAgent({ turn: asking(outcomes), canUseTool: ask }, async (host) => {
      for (const mode of ['bypassPermissions', 'dontAsk'] as const) {
        await host.request('set_permission_mode', { mode });
        await turnOf(host);
      }
    });
    expect(outcomes).toEqual([
      { outcome: 'selected', optionId: 'once' },
      { outcome: 'selected', optionId: 'no' },
    ]);
  });
});

verifies('EDITOR-10', 'the mode acceptEdits allows only changes of files in the working directory', async () => {
  const asked: unknown[] = [];
  const edit = (file_path: string) =>
    ({ toolCallId: file_path, title: 'Edit', kind: 'edit', rawInput: { file_path } }) as const;
  await withAgent(
    {
      async turn({ ask }) {
        for (const path of [`${process.cwd()}/a`, 'b/c', '/etc/hosts', `${process.cwd()}/../x`]) await ask(edit(path));
        return 'end_turn';
      },
      canUseTool: ({ input }) => (asked.push(input), { behavior: 'allow' }),
    },
    async (host) => {
      await host.request('set_permission_mode', { mode: 'acceptEdits' });
      await turnOf(host);
      expect(asked).toEqual([{ file_path: '/etc/hosts' }, { file_path: `${process.cwd()}/../x` }]);
    },
  );
});

test('a mode that the agent does not have returns the agent to its first mode', () =>
  withAgent(
    {
      turn: async () => 'end_turn',
      session: {
        modes: {
          currentModeId: 'build',
          availableModes: [
            { id: 'build', name: 'Build' },
            { id: 'plan', name: 'Plan' },
          ],
        },
      },
    },
    async (host, { settings }) => {
      for (const mode of ['plan', 'acceptEdits', 'default', 'plan'] as const)
        await host.request('set_permission_mode', { mode });
      expect(settings).toEqual([{ mode: 'plan' }, { mode: 'build' }, { mode: 'plan' }]);
    },
  ));

verifies('EDITOR-12', 'a continued session stays the same when the host sets MCP servers', () =>
  withAgent(
    {
      turn: async () => 'end_turn',
      capabilities: { loadSession: true },
      history: [{ type: 'assistant', uuid: 'u1', acp_session_id: 'old', message: { content: [] } }],
    },
    async (host, { opened }) => {
      await host.request('mcp_set_servers', { servers: { far: { type: 'http', url: 'http://localhost/mcp' } } });
      expect(opened).toEqual([
        expect.objectContaining({ sessionId: 'old', mcpServers: [] }),
        expect.objectContaining({ sessionId: 'old', mcpServers: [expect.objectContaining({ name: 'far' })] }),
      ]);
    },
  ),
);

verifies('EDITOR-11', 'an interrupt cancels the turn of the agent, and what was written is kept as aborted', () => {
  let turns = 0;
  let isCancelled = false;
  return withAgent(
    {
      async turn({ update, cancelled }) {
        turns += 1;
        if (turns > 1) return 'end_turn';
        await update(chunk('half a tex'));
        await cancelled;
        isCancelled = true;
        return 'cancelled';
      },
    },
    async (host) => {
      host.prompt('go');
      const messages: WireMessage[] = [];
      for await (const message of host.untilResult()) {
        messages.push(message);
        const isWriting = message.type === 'stream_event' && message.event.type === 'content_block_delta';
        if (isWriting) void host.interrupt();
      }
      expect(isCancelled).toBe(true);
      expect(shown(messages)[0]).toBe('text: half a tex (aborted)');
      expect(messages.at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution' });
      expect(shown(await turnOf(host))).toEqual(['success: ']);
    },
  );
});

verifies('EDITOR-12', 'a stored conversation is continued in the session of the agent, and is not sent again', () =>
  withAgent(
    {
      turn: async ({ request, update }) => {
        await update(chunk(`in ${request.sessionId}`));
        return 'end_turn';
      },
      capabilities: { loadSession: true },
      history: [{ type: 'assistant', uuid: 'u1', acp_session_id: 'old', message: { content: [] } }],
    },
    async (host, { opened }) => {
      expect(opened).toEqual([expect.objectContaining({ sessionId: 'old' })]);
      const messages = await turnOf(host);
      expect(shown(messages)).toEqual(['text: in old', 'success: in old']);
      expect(messages.filter(({ subtype }) => subtype === 'informational')).toEqual([]);
    },
  ),
);

test('a turn of an agent that ends is an error with the reason', async () => {
  const transport = createMemoryPair();
  await withAgent(
    {
      turn: async ({ update }) => {
        await update(chunk('half'));
        transport.agent.abort();
        return 'end_turn';
      },
    },
    async (host) => {
      const messages = await turnOf(host);
      expect(shown(messages)[0]).toBe('text: half (aborted)');
      expect(messages.at(-1)).toMatchObject({
        is_error: true,
        errors: [expect.stringMatching(/^scripted has ended: /)],
      });
    },
    transport,
  );
});

test('models, modes, commands and MCP servers of the host reach the agent', () =>
  withAgent(
    {
      turn: async () => 'end_turn',
      flags: { mcpConfig: [{ mcpServers: { far: { type: 'http', url: 'http://localhost/mcp' } } }], model: 'large' },
      session: {
        modes: {
          currentModeId: 'ask',
          availableModes: [
            { id: 'ask', name: 'Ask' },
            { id: 'plan', name: 'Plan' },
          ],
        },
        configOptions: [
          {
            id: 'm',
            type: 'select',
            category: 'model',
            name: 'Model',
            currentValue: 'small',
            options: [
              { value: 'small', name: 'Small' },
              { value: 'large', name: 'Large' },
            ],
          },
        ],
      },
    },
    async (host, { opened, settings }) => {
      expect(opened).toEqual([
        expect.objectContaining({
          mcpServers: [{ type: 'http', name: 'far', url: 'http://localhost/mcp', headers: [] }],
        }),
      ]);
      await host.initialized;
      await host.request('set_permission_mode', { mode: 'plan' });
      await expect(host.request('set_permission_mode', { mode: 'architect' as 'plan' })).rejects.toThrow();
      await expect(host.request('set_model', { model: 'huge' })).rejects.toThrow(/does not offer the model "huge"/);
      expect(settings).toEqual([{ m: 'large' }, { mode: 'plan' }]);
    },
  ));

test('hooks after a call run when its result has been sent, and can end the turn', async () => {
  const events: unknown[] = [];
  const hooks = {
    PostToolUse: [{ matcher: 'Bash', hooks: [async (input: object) => (events.push(input), { continue: false })] }],
  };
  await withAgent(
    {
      hooks,
      async turn({ update, cancelled }) {
        await update({ sessionUpdate: 'tool_call', ...BASH, status: 'completed' });
        await cancelled;
        return 'cancelled';
      },
    },
    async (host) => {
      await turnOf(host);
      expect(events).toEqual([expect.objectContaining({ tool_name: 'Bash', tool_use_id: 'c1' })]);
    },
  );
});
