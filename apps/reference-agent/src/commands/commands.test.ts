import type { HostMcpServer, Turn } from '@proto/agent';
import { describe, expect, test, vi } from 'vitest';
import { callsOf, endOf, resultsOf, said, type Said, textsOf, turnOf } from '../turn.test-support.ts';

const eventsOf = (messages: readonly Said[]) => messages.flatMap(({ event }) => event ?? []);

describe('/think', () => {
  test('streams a thought before a text, in one message', async () => {
    const messages = await said(turnOf('/think it over'));
    const blocks = messages.flatMap(({ message }) => message?.content ?? []);
    expect(blocks).toEqual([
      { type: 'thinking', thinking: 'it over', signature: expect.any(String) },
      { type: 'text', text: 'I thought about it.' },
    ]);
    expect(eventsOf(messages).flatMap(({ delta }) => (delta as { thinking?: string })?.thinking ?? [])).toEqual([
      'it ',
      'over',
    ]);
  });
});

describe('/big', () => {
  test('answers that many bytes, to the byte', async () => {
    expect(textsOf(await said(turnOf('/big 200000')))[0]).toHaveLength(200_000);
    expect(textsOf(await said(turnOf('/big 0')))).toEqual(['']);
  });

  test('has a bound', async () => {
    const [, end] = [null, endOf(await said(turnOf('/big 67108865')))];
    expect(end).toMatchObject({ errors: ["/big needs a number of bytes up to 67108864, not '67108865'"] });
  });
});

test('/unicode answers the same well-formed text each time', async () => {
  const [[text = ''], again] = await Promise.all([
    said(turnOf('/unicode')).then(textsOf),
    said(turnOf('/unicode')).then(textsOf),
  ]);
  expect(again).toEqual([text]);
  for (const part of ['\u2028', '\u0000', '👩‍👩‍👧‍👦', '\u202e']) expect(text).toContain(part);
  expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text.replace(/^\ufeff/, ''));
});

describe('/fail', () => {
  test.each([
    ['max_turns', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }],
    ['budget', { subtype: 'error_max_budget_usd', is_error: true, terminal_reason: 'budget_exhausted' }],
    ['execution', { subtype: 'error_during_execution', is_error: true, errors: [expect.any(String)] }],
    ['api', { subtype: 'success', is_error: true, terminal_reason: 'api_error', api_error_status: 400 }],
    ['softly', { errors: ["/fail needs one of max_turns, budget, api, execution, crash, not 'softly'"] }],
  ])('%s ends the turn', async (kind, result) => {
    const messages = await said(turnOf(`/echo before\n/fail ${kind}\n/echo never`));
    expect(endOf(messages)).toMatchObject(result);
    expect(textsOf(messages)[0]).toBe('before');
    expect(textsOf(messages)).not.toContain('never');
  });

  test('api says so as the model that is none', async () => {
    const messages = await said(turnOf('/fail api'));
    expect(messages[0]).toMatchObject({
      type: 'assistant',
      message: { model: '<synthetic>', content: [{ type: 'text', text: endOf(messages)?.['result'] }] },
      error: 'unknown',
      is_api_error_message: true,
    });
  });
});

describe('/ask', () => {
  const answering =
    (answers: object): Turn['canUseTool'] =>
    async (_tool, input, toolUseID) => ({
      behavior: 'allow',
      toolUseID,
      decidedBy: 'host',
      input: { ...input, answers },
      updatedPermissions: [],
    });

  test('states the answer that came with the permission', async () => {
    const canUseTool = vi.fn(answering({ 'Which?': 'B' }));
    expect(textsOf(await said(turnOf('/ask Which?|A|B', { canUseTool })))).toEqual(['The answer to "Which?" is "B".']);
    expect(canUseTool.mock.calls[0]?.slice(0, 2)).toEqual([
      'AskUserQuestion',
      {
        questions: [
          {
            question: 'Which?',
            header: 'Which?',
            options: [
              { label: 'A', description: 'A' },
              { label: 'B', description: 'B' },
            ],
            multiSelect: false,
          },
        ],
      },
    ]);
  });

  test('fails without an answer, and where nobody can be asked', async () => {
    const silent = await said(turnOf('/ask Which?|A', { canUseTool: answering({}) }));
    expect(resultsOf(silent)).toMatchObject([{ content: 'The question was not answered.', is_error: true }]);
    const { permissionPromptTool: _, ...options } = { permissionPromptTool: undefined };
    const alone = await said(turnOf('/ask Which?|A'), { ...options, permissionPromptTool: undefined as never });
    expect(resultsOf(alone)).toMatchObject([{ content: 'The tool AskUserQuestion is not available.' }]);
  });
});

describe('/mcp', () => {
  const serverOf = (answer: object, tool: object = {}): HostMcpServer => ({
    name: 'lab',
    status: 'connected',
    serverInfo: {},
    tools: [{ name: 'add', ...tool }],
    callTool: vi.fn(async () => answer as Readonly<Record<string, unknown>>),
    send: async () => undefined,
  });

  test('calls the tool of the server with that input, and states its answer', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const resource = { type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA' } };
    const server = serverOf({ content: [{ type: 'text', text: '5' }, image, resource] });
    const messages = await said(turnOf('/mcp lab add {"a":2}', { mcpServers: [server] }));
    expect(callsOf(messages)).toMatchObject([{ name: 'mcp__lab__add', input: { a: 2 } }]);
    expect(server.callTool).toHaveBeenCalledExactlyOnceWith(
      'add',
      { a: 2 },
      { toolUseID: expect.stringMatching(/^toolu_/) },
    );
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const address = { type: 'text', text: '[resource file:///a]' };
    expect(resultsOf(messages)).toMatchObject([
      { content: [{ type: 'text', text: '5' }, { type: 'image', source }, address] },
    ]);
    expect(textsOf(messages)).toEqual(['5\n(image)\n[resource file:///a]']);
  });

  test('gives what has a form as that, and what failed as failed', async () => {
    const formed = serverOf({ content: [{ type: 'text', text: 'five' }], structuredContent: { sum: 5 } });
    const messages = await said(turnOf('/mcp lab add', { mcpServers: [formed] }));
    expect(resultsOf(messages)).toMatchObject([{ content: '{"sum":5}' }]);
    const failing = serverOf({ content: [{ type: 'text', text: 'tool broke' }], isError: true });
    expect(resultsOf(await said(turnOf('/mcp lab add {}', { mcpServers: [failing] })))).toMatchObject([
      { content: 'tool broke', is_error: true },
    ]);
  });

  test('takes an object', async () => {
    expect(endOf(await said(turnOf('/mcp lab add [1]')))).toMatchObject({ errors: ['/mcp needs a JSON object'] });
  });
});

describe('/subagent', () => {
  test('has its text run by a subagent, whose messages say whose they are', async () => {
    const canUseTool = vi.fn(turnOf('').canUseTool);
    const runHooks = vi.fn(turnOf('').runHooks);
    const messages = await said(turnOf('/subagent /bash echo inside', { canUseTool, runHooks }));
    const [call] = callsOf(messages);
    expect(call).toMatchObject({ name: 'Agent', input: { prompt: '/bash echo inside' } });
    const id = Reflect.get(call ?? {}, 'id');
    const inside = messages.filter(({ parent_tool_use_id: parent }) => parent === id);
    expect(textsOf(inside)).toEqual(['inside']);
    const agentID = inside[0]?.['agent_id'];
    expect(inside.map(({ agent_id }) => agent_id)).toEqual(inside.map(() => agentID));
    expect(canUseTool.mock.calls.map(([tool, , , caller]) => [tool, caller])).toEqual([
      ['Agent', {}],
      ['Bash', { agentID }],
    ]);
    expect(runHooks.mock.calls.map(([event]) => event)).toEqual([
      'SubagentStart',
      'PostToolUse',
      'SubagentStop',
      'PostToolUse',
    ]);
    expect(messages.filter(({ type }) => type === 'system')).toMatchObject([
      { subtype: 'task_started', task_id: agentID, tool_use_id: id, is_backgrounded: false, task_type: 'local_agent' },
      {
        subtype: 'task_notification',
        task_id: agentID,
        status: 'completed',
        summary: 'inside',
        usage: { tool_uses: 1 },
      },
    ]);
    expect(textsOf(messages.filter(({ parent_tool_use_id: parent }) => parent === null))).toEqual(['inside']);
  });

  test('that fails is a call that failed', async () => {
    const messages = await said(turnOf('/subagent /fail execution\n/echo after'));
    expect(resultsOf(messages)).toMatchObject([{ is_error: true }]);
    expect(messages.find(({ subtype }) => subtype === 'task_notification')).toMatchObject({ status: 'failed' });
    expect(textsOf(messages)).toContain('after');
  });

  test('may not go on for ever', async () => {
    const messages = await said(turnOf(`${'/subagent '.repeat(5)}hello`));
    expect(messages.filter(({ subtype }) => subtype === 'task_started')).toHaveLength(3);
    expect(endOf(messages)).toMatchObject({ subtype: 'success', is_error: false });
  });
});

describe('/background', () => {
  test('starts a command that the turn does not wait for, and reports its result when it ends', async () => {
    const background = vi.fn<Turn['background']>(() => 'task-1');
    const messages = await said(turnOf('/background 0.01', { background }));
    expect(callsOf(messages)).toMatchObject([{ input: { command: 'sleep 0.01', run_in_background: true } }]);
    expect(messages.find(({ type }) => type === 'user')).toMatchObject({
      tool_use_result: { backgroundTaskId: 'task-1' },
    });
    const [task] = background.mock.calls[0] ?? [];
    expect(task).toMatchObject({ task_type: 'local_bash', description: 'sleep 0.01' });
    expect(await task?.run(new AbortController().signal, 'task-1')).toMatchObject({
      summary: 'Background command "sleep 0.01" completed (exit code 0)',
    });
  });
});

describe('a form for the output', () => {
  const jsonSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

  test('is filled by an example, or by what a command says', async () => {
    const example = await said(turnOf('/echo a'), { jsonSchema });
    expect(endOf(example)).toMatchObject({
      subtype: 'success',
      structured_output: { name: 'text' },
      result: '{"name":"text"}',
    });
    const host = await said(turnOf('/json {"name":"lab"}', { initialize: { jsonSchema } }));
    expect(endOf(host)).toMatchObject({ structured_output: { name: 'lab' } });
    expect(callsOf(host)).toMatchObject([{ name: 'StructuredOutput', input: { name: 'lab' } }]);
  });

  test('that is not met is tried five times', async () => {
    const messages = await said(turnOf('/json {"name":7}'), { jsonSchema });
    expect(resultsOf(messages)).toHaveLength(5);
    expect(resultsOf(messages)[0]).toMatchObject({
      content: 'Output does not match required schema: /name: must be string',
      is_error: true,
    });
    expect(endOf(messages)).toMatchObject({
      subtype: 'error_max_structured_output_retries',
      is_error: true,
      terminal_reason: 'structured_output_retry_exhausted',
    });
    expect(endOf(messages)).not.toHaveProperty('structured_output');
  });
});
