import type { Turn } from '@proto/agent';
import { describe, expect, test, vi } from 'vitest';
import { callsOf, endOf, resultsOf, said, textsOf, turnOf } from '../turn.test-support.ts';
import type { Tool } from './tool.ts';

type Decide = Turn['canUseTool'];
type RunHooks = Turn['runHooks'];

const allow: Decide = async (_tool, input, toolUseID) => ({
  behavior: 'allow',
  toolUseID,
  decidedBy: 'rules',
  input,
  updatedPermissions: [],
});
const noHooks = { additionalContext: [], systemMessages: [], specific: {} };

/** A tool whose calls end when the test says so. */
function heldTool(name: string, members: Partial<Tool> = {}) {
  const running: { readonly input: object; readonly done: (content: string) => void }[] = [];
  const tool: Tool = {
    name,
    effect: 'executes',
    run: (input) => new Promise((resolve) => running.push({ input, done: (content) => resolve({ content }) })),
    ...members,
  };
  return { tool, running };
}

describe('a tool call', () => {
  test('is permitted, made, and described in a second reply', async () => {
    const canUseTool = vi.fn<Decide>(allow);
    const messages = await said(turnOf('/write a.txt some text', { canUseTool }));
    const [call] = callsOf(messages);
    expect(call).toMatchObject({ name: 'Write', input: { file_path: 'a.txt', content: 'some text' } });
    expect(canUseTool).toHaveBeenCalledExactlyOnceWith(
      'Write',
      { file_path: 'a.txt', content: 'some text' },
      expect.stringMatching(/^toolu_/),
      {},
    );
    expect(messages.filter(({ type }) => type === 'user')).toMatchObject([
      {
        message: { role: 'user', content: [{ type: 'tool_result', content: 'Created /a.txt.', is_error: false }] },
        parent_tool_use_id: null,
        tool_use_result: { type: 'create', filePath: '/a.txt', content: 'some text' },
        tool_result_meta: [{ permission_decision: { decision: 'accept', source: 'config' } }],
      },
    ]);
    expect(textsOf(messages)).toEqual(['Created /a.txt.']);
  });

  test('is made with the input that the permission has left', async () => {
    const canUseTool: Decide = async (tool, _input, id) => ({
      ...(await allow(tool, { command: 'echo changed' }, id)),
    });
    expect(textsOf(await said(turnOf('/bash echo asked', { canUseTool })))).toEqual(['changed']);
  });

  test('that is refused reports the reason, and the turn goes on', async () => {
    const canUseTool: Decide = async (_tool, _input, toolUseID) => ({
      behavior: 'deny',
      toolUseID,
      decidedBy: 'host',
      message: 'not today',
      interrupt: false,
    });
    const messages = await said(turnOf('/bash echo a\n/echo b', { canUseTool }));
    expect(resultsOf(messages)).toMatchObject([{ content: 'not today', is_error: true }]);
    expect(messages.find(({ type }) => type === 'user')).toMatchObject({
      tool_use_result: 'Error: not today',
      tool_result_meta: [{ non_execution_kind: 'permission-rule', permission_decision: { source: 'user_reject' } }],
    });
    expect(textsOf(messages)).toEqual(['not today', 'b']);
  });

  test('that fails reports why', async () => {
    const messages = await said(turnOf('/read missing\n/bash exit 3'));
    expect(resultsOf(messages)).toMatchObject([
      { content: 'File does not exist.', is_error: true },
      { content: 'Exit code 3', is_error: true },
    ]);
  });

  test('of a tool that is not there fails without a question', async () => {
    const canUseTool = vi.fn<Decide>(allow);
    const messages = await said(turnOf('/bash echo a\n/mcp no tool', { canUseTool }), { disallowedTools: ['Bash'] });
    expect(resultsOf(messages)).toMatchObject([
      { content: 'The tool Bash is not available.', is_error: true },
      { content: 'The tool mcp__no__tool is not available.', is_error: true },
    ]);
    expect(canUseTool).not.toHaveBeenCalled();
  });

  test('with a long output is shown in part, and its result has the whole output', async () => {
    const messages = await said(turnOf(`/bash echo ${'x'.repeat(3000)}`));
    expect(resultsOf(messages)[0]?.content).toHaveLength(3000);
    expect(textsOf(messages)).toEqual([`${'x'.repeat(2000)}… (1000 more characters)`]);
  });
});

describe('hooks of the host', () => {
  test('run after a call, with its output or its error', async () => {
    const runHooks = vi.fn<RunHooks>(async () => noHooks);
    await said(turnOf('/bash echo a\n/bash exit 1', { runHooks }));
    expect(runHooks.mock.calls).toMatchObject([
      [
        'PostToolUse',
        {
          tool_name: 'Bash',
          tool_input: { command: 'echo a' },
          tool_response: { stdout: 'a' },
          duration_ms: expect.any(Number),
        },
      ],
      ['PostToolUseFailure', { tool_name: 'Bash', error: 'Exit code 1', is_interrupt: false }],
    ]);
    expect(runHooks.mock.calls[0]?.[1]?.['tool_use_id']).toMatch(/^toolu_/);
  });

  test('replace its output, and add text for the model', async () => {
    const hooked = { ...noHooks, additionalContext: ['and more'], specific: { updatedToolOutput: 'better' } };
    const messages = await said(turnOf('/bash echo a', { runHooks: async () => hooked }));
    expect(resultsOf(messages)).toMatchObject([{ content: 'better\nand more' }]);
    const canUseTool: Decide = async (...call) => ({ ...(await allow(...call)), additionalContext: ['from the hook'] });
    const others = await said(turnOf('/bash echo a', { canUseTool }));
    expect(resultsOf(others)).toMatchObject([{ content: 'a\nfrom the hook' }]);
  });

  test('end the turn', async () => {
    const runHooks: RunHooks = async () => ({ ...noHooks, stopReason: 'enough' });
    const messages = await said(turnOf('/bash echo a\n/echo never', { runHooks }));
    expect(resultsOf(messages)).toHaveLength(1);
    expect(textsOf(messages)).toEqual([]);
    expect(endOf(messages)).toMatchObject({ subtype: 'success', terminal_reason: 'hook_stopped' });
  });
});

describe('calls of one reply', () => {
  test('are sent in one message, and run one after another if they may change something', async () => {
    const { tool, running } = heldTool('Bash');
    const done = said(turnOf('/parallel\n/bash one\n/bash two'), { tools: [tool] });
    await vi.waitFor(() => expect(running).toHaveLength(1));
    running[0]?.done('1');
    await vi.waitFor(() => expect(running).toHaveLength(2));
    running[1]?.done('2');
    const messages = await done;
    const replies = messages.filter(({ type }) => type === 'assistant');
    expect(new Set(replies.map(({ message }) => Reflect.get(message ?? {}, 'id'))).size).toBe(2);
    expect(textsOf(messages)).toEqual(['1\n2']);
  });

  test('run in parallel if they only read, and report their results as they end', async () => {
    const { tool, running } = heldTool('Read', { effect: 'reads' });
    const done = said(turnOf('/parallel\n/read one\n/echo text\n/read two'), { tools: [tool] });
    await vi.waitFor(() => expect(running).toHaveLength(2));
    running[1]?.done('second');
    running[0]?.done('first');
    const messages = await done;
    expect(resultsOf(messages).map(({ content }) => content)).toEqual(['second', 'first']);
    expect(textsOf(messages)).toEqual(['text', 'first\nsecond']);
    // No result is sent between the parts of the reply.
    const kinds = messages.filter(({ type }) => type === 'assistant' || type === 'user').map(({ type }) => type);
    expect(kinds).toEqual(['assistant', 'assistant', 'assistant', 'user', 'user', 'assistant']);
  });
});

test('an interrupt does not wait for a tool, whose signal aborts', async () => {
  const controller = new AbortController();
  let aborted = false;
  const tool: Tool = {
    name: 'Bash',
    effect: 'executes',
    run: (_input, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => (aborted = true));
        controller.abort();
      }),
  };
  const messages = await said(turnOf('/bash a\n/echo never', { signal: controller.signal }), { tools: [tool] });
  expect(aborted).toBe(true);
  expect(resultsOf(messages)).toMatchObject([{ is_error: true }]);
  expect(messages.find(({ type }) => type === 'user')).toMatchObject({
    tool_use_result: 'User rejected tool use',
    tool_result_meta: [{ non_execution_kind: 'user-rejected' }],
  });
  expect(textsOf(messages)).toEqual([]);
});
