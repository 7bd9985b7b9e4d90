import { expect, test } from 'vitest';

import { wrongDecisions } from './decision-rules.ts';
import type { HostAnswer } from '../host-program.ts';
import type { RecordedLine } from '../host-session.ts';
import { wrongPrompts } from './prompt-rules.ts';

type Members = Readonly<Record<string, unknown>>;

const asks = (id: string, request: Members): RecordedLine => ({
  by: 'agent',
  at: 0,
  message: { type: 'control_request', request_id: id, request },
});
const says = (message: Members, by: 'agent' | 'host' = 'host'): RecordedLine => ({ by, at: 0, message });
const succeeds = (id: string, response: Members) =>
  says({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
const fails = (id: string) =>
  says({ type: 'control_response', response: { subtype: 'error', request_id: id, error: 'no' } });
const questionOf = (id: string, kind: string, request: Members) => ({ type: 'question', id, kind, request });

const registers = says({
  type: 'control_request',
  request_id: 'r',
  request: {
    subtype: 'initialize',
    hooks: {
      Stop: [{ hookCallbackIds: ['h1'] }],
      PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['h2'] }, { hookCallbackIds: ['h3'] }],
    },
  },
});
const tool = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'a', b: null }, tool_use_id: 't1' };
const call = { subtype: 'hook_callback', callback_id: 'h2', input: { hook_event_name: 'PreToolUse', x: null } };
const form = { subtype: 'elicitation', message: 'Name?' };
const dialog = { subtype: 'request_user_dialog', dialog_kind: 'confirm' };

/** The requirements that one question with its answers breaks. */
function broken(
  kind: string,
  request: Members,
  { asked = request, answer, response }: { asked?: Members; answer?: HostAnswer; response?: RecordedLine },
): readonly string[] {
  const record = [registers, asks('q', request), ...(response === undefined ? [] : [response])];
  const events = kind === '' ? [] : [questionOf('1', kind, asked)];
  const answers = new Map<unknown, HostAnswer>(answer === undefined ? [] : [['1', answer]]);
  return wrongDecisions(record, { events, answers }).map(({ spec }) => spec);
}

const allow = { behavior: 'allow', toolUseID: 't1' };
const deny = { behavior: 'deny', message: 'no', toolUseID: 't1' };
const hook = { event: 'PreToolUse', matcher: 'Bash', input: call.input };
const decides = (decision: Members, payload: Members) =>
  broken('permission', tool, { answer: { value: decision }, response: succeeds('q', payload) });

test('a decision of the user that reaches the agent breaks nothing', () => {
  expect(decides({ behavior: 'allow' }, allow)).toEqual([]);
  expect(decides({ behavior: 'allow' }, { ...allow, updatedInput: tool.input })).toEqual([]);
  expect(decides({ behavior: 'allow', updatedInput: {} }, { ...allow, updatedInput: {} })).toEqual([]);
  expect(decides({ behavior: 'deny', message: 'no', interrupt: true }, { ...deny, interrupt: true })).toEqual([]);
  expect(broken('permission', tool, { answer: { error: 'broke' }, response: fails('q') })).toEqual([]);
  expect(broken('hook', call, { asked: hook, answer: { value: { a: 1 } }, response: succeeds('q', { a: 1 }) })).toEqual(
    [],
  );
  expect(broken('elicitation', form, { answer: { error: 'broke' }, response: fails('q') })).toEqual([]);
  expect(broken('', form, { response: succeeds('q', { action: 'decline' }) })).toEqual([]);
});

test('a decision that changes on its way breaks the requirement of its part', () => {
  expect(decides({ behavior: 'deny', message: 'no' }, allow)).toEqual(['PRM-40']);
  expect(decides({ behavior: 'allow' }, { behavior: 'allow' })).toEqual(['PRM-11']);
  expect(decides({ behavior: 'deny', message: 'no' }, { ...deny, interrupt: true })).toEqual(['PRM-43']);
  expect(decides({ behavior: 'deny', message: 'never' }, deny)).toEqual(['PRM-10']);
  expect(decides({ behavior: 'allow', updatedPermissions: [{ a: 1 }] }, allow)).toEqual(['PRM-42']);
  expect(decides({ behavior: 'allow', updatedInput: {} }, { ...allow, updatedInput: tool.input })).toEqual(['PRM-35']);
  expect(decides({ behavior: 'allow' }, { ...allow, updatedInput: { command: 'a' } })).toEqual(['PRM-41']);
  expect(broken('permission', tool, { answer: { error: 'broke' }, response: succeeds('q', allow) })).toEqual([
    'PRM-12',
  ]);
  expect(broken('permission', tool, { answer: { value: { behavior: 'allow' } }, response: fails('q') })).toEqual([
    'PRM-40',
  ]);
  expect(broken('hook', call, { asked: hook, answer: { value: { a: 1 } }, response: succeeds('q', {}) })).toEqual([
    'HOK-47',
  ]);
  expect(broken('hook', call, { asked: hook, answer: { error: 'broke' }, response: succeeds('q', {}) })).toEqual([
    'HOK-46',
  ]);
  const accepts = { action: 'accept', content: { a: 0 } };
  const lost = succeeds('q', { action: 'accept', content: {} });
  expect(broken('elicitation', form, { answer: { value: accepts }, response: lost })).toEqual(['MCP-30']);
  const completed = { behavior: 'completed', result: null };
  expect(
    broken('dialog', dialog, { answer: { value: completed }, response: succeeds('q', { behavior: 'ok' }) }),
  ).toEqual(['MCP-28']);
});

test('the user has to be asked what the agent asks', () => {
  expect(broken('permission', tool, { asked: { ...tool, input: { command: 'a' } } })).toEqual(['PRM-40']);
  expect(broken('hook', call, { asked: { ...hook, input: { hook_event_name: 'PreToolUse' } } })).toEqual(['HOK-45']);
  expect(broken('hook', call, { asked: { ...hook, matcher: undefined } })).toEqual(['HOK-45']);
  expect(broken('', tool, { response: succeeds('q', allow) })).toEqual(['PRM-40']);
  expect(broken('', call, { response: succeeds('q', {}) })).toEqual(['HOK-45']);
  expect(broken('', { ...call, callback_id: 'h9' }, { response: succeeds('q', {}) })).toEqual(['HOK-12']);
  expect(broken('', form, { response: succeeds('q', { action: 'accept' }) })).toEqual(['MCP-30']);
});

test('questions that are open at the same time are distinguished', () => {
  const second = { ...tool, tool_use_id: 't2' };
  const record = [
    asks('a', tool),
    asks('b', second),
    succeeds('b', { ...deny, toolUseID: 't2' }),
    succeeds('a', allow),
  ];
  const events = [questionOf('2', 'permission', second), questionOf('1', 'permission', tool)];
  const answers = (one: string, two: string) =>
    new Map([
      ['1', { value: { behavior: one } }],
      ['2', { value: { behavior: two } }],
    ]);
  expect(wrongDecisions(record, { events, answers: answers('allow', 'deny') })).toEqual([]);
  expect(wrongDecisions(record, { events, answers: answers('deny', 'allow') })).toHaveLength(2);
});

test('prompts are those of the user, each once', () => {
  const prompt = (content: unknown) => says({ type: 'user', message: { role: 'user', content } });
  const result = says({ type: 'result' }, 'agent');
  const rule = (record: readonly RecordedLine[]) =>
    wrongPrompts(record, { prompts: ['a', 'a', [{ type: 'text', text: 'b' }]], isComplete: true }).length;
  expect(rule([prompt('a'), prompt([{ type: 'text', text: 'a' }]), result])).toBe(0);
  expect(rule([prompt('a'), prompt('a'), prompt([{ type: 'text', text: 'b' }]), result, result, result])).toBe(0);
  expect(rule([prompt('a'), prompt('a'), result, result, result])).toBe(1);
  expect(rule([prompt('a'), prompt('a'), prompt('a')])).toBe(1);
  expect(rule([prompt('A')])).toBe(1);
});

test('a host with a user asks this user about every form, whatever it answers', () => {
  const record = [registers, asks('q', form), succeeds('q', { action: 'cancel' })];
  const problems = (elicitation: boolean) =>
    wrongDecisions(record, { events: [], answers: new Map(), brings: { elicitation } }).map(({ spec }) => spec);
  expect(problems(true)).toEqual(['MCP-30']);
  expect(problems(false)).toEqual([]);
});
