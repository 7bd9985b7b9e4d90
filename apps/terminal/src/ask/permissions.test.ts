import { PassThrough } from 'node:stream';
import type { HostSessionOptions } from '@proto/host';
import { type Behavior, createPermissionRules, type PermissionRecord, type PermissionRules } from '@proto/permissions';
import { describe, expect, test } from 'vitest';
import { createAskUser } from './ask-user.ts';
import { createPermissions } from './permissions.ts';

type Request = Parameters<NonNullable<HostSessionOptions['canUseTool']>>[0];

const SUGGESTION = {
  type: 'addRules' as const,
  rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
  behavior: 'allow' as const,
  destination: 'localSettings' as const,
};
const REQUEST: Request = {
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  tool_use_id: 't1',
  input: { command: 'ls' },
  permission_suggestions: [SUGGESTION],
};
const QUESTION: Request = {
  ...REQUEST,
  tool_name: 'AskUserQuestion',
  requires_user_interaction: true,
  input: { questions: [{ question: 'Which?', options: [{ label: 'one' }, { label: 'two' }] }] },
};

/** Permissions with a user who types one of these lines at each question. */
function setUp(policy: Behavior | PermissionRules, typed?: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines = [...(typed ?? [])];
  let isAsked = 0;
  const user = createAskUser(input, output, () => {
    isAsked++;
    const line = lines.shift();
    if (line === undefined) input.end();
    else setImmediate(() => input.write(`${line}\n`));
  });
  const rules = typeof policy === 'string' ? createPermissionRules({ default: policy }) : policy;
  const decisions: PermissionRecord[] = [];
  const onDecision = (decision: PermissionRecord) => void decisions.push(decision);
  const permissions = createPermissions({ rules, user: typed && user, cwd: '/work', onDecision });
  const ask = async (request: Request, signal = new AbortController().signal) =>
    permissions.canUseTool(request, { requestId: 'r', signal });
  return { permissions, ask, decisions, output, times: () => isAsked };
}

describe('a policy', () => {
  test('allows or denies every call, and reports each decision', async () => {
    const allowing = setUp('allow');
    expect(await allowing.ask(REQUEST)).toEqual({ behavior: 'allow' });
    expect(allowing.decisions).toEqual([
      { tool: 'Bash', call: 'Bash(ls)', behavior: 'allow', source: 'default', by: 'no rule, default allow' },
    ]);
    const denying = setUp('deny', ['y']);
    expect(await denying.ask(REQUEST)).toMatchObject({ behavior: 'deny' });
    expect([denying.permissions.isDenied, denying.permissions.isUnasked, denying.times()]).toEqual([true, false, 0]);
  });

  test('of rules asks the user only when a rule says so', async () => {
    const rules = createPermissionRules({ allow: ['Read'], ask: ['Bash'] });
    const { ask, decisions, times } = setUp(rules, ['y']);
    expect(await ask({ ...REQUEST, tool_name: 'Read', input: {} })).toEqual({ behavior: 'allow' });
    expect(await ask({ ...REQUEST, tool_name: 'Write', input: {} })).toMatchObject({ behavior: 'deny' });
    expect(times()).toBe(0);
    expect(await ask(REQUEST)).toEqual({ behavior: 'allow' });
    expect(decisions.map(({ by }) => by)).toEqual(['rule allow Read', 'no rule, default deny', 'the user']);
  });
});

describe('a user', () => {
  test.each([
    ['y', { behavior: 'allow' }],
    [' YES ', { behavior: 'allow' }],
    ['a', { behavior: 'allow', updatedPermissions: [{ ...SUGGESTION, destination: 'session' }] }],
    ['n', { behavior: 'deny' }],
    ['', { behavior: 'deny' }],
    ['yess', { behavior: 'deny' }],
  ])('who types "%s" gives the answer for that line', async (line, result) => {
    expect(await setUp('ask', [line]).ask(REQUEST)).toMatchObject(result);
  });

  test('cannot choose always when the agent suggests no rule', async () => {
    const { ask, output } = setUp('ask', ['a']);
    expect(await ask({ ...REQUEST, permission_suggestions: [] })).toMatchObject({ behavior: 'deny' });
    expect(String(output.read())).not.toContain('always');
  });

  test('who closes the input denies the open question and all later ones', async () => {
    const { ask, times, output } = setUp('ask', []);
    expect(await ask(REQUEST)).toMatchObject({ behavior: 'deny' });
    expect(await ask(REQUEST)).toMatchObject({ behavior: 'deny' });
    expect(times()).toBe(1);
    // Later output begins on a new line.
    expect(String(output.read())).toMatch(/: \n$/);
  });

  test('is asked one question at a time', async () => {
    const { ask } = setUp('ask', ['y', 'n']);
    const both = await Promise.all([ask(REQUEST), ask(REQUEST)]);
    expect(both.map((result) => result?.behavior)).toEqual(['allow', 'deny']);
  });

  test('is no longer asked when the agent cancels the question', async () => {
    const controller = new AbortController();
    const user = createAskUser(new PassThrough(), new PassThrough(), () => controller.abort());
    expect(await user.ask('?', controller.signal)).toBeUndefined();
  });

  test('chooses an answer by its number or types one', async () => {
    for (const [line, answer] of [
      ['2', 'two'],
      ['three', 'three'],
    ] as const) {
      expect(await setUp('allow', [line]).ask(QUESTION)).toMatchObject({
        behavior: 'allow',
        updatedInput: { questions: QUESTION.input['questions'], answers: { 'Which?': answer } },
      });
    }
    expect(await setUp('ask', ['']).ask(QUESTION)).toMatchObject({ behavior: 'deny' });
  });
});

test('without a user every question is denied, and the decision says so', async () => {
  for (const [policy, request] of [
    ['ask', REQUEST],
    ['allow', QUESTION],
  ] as const) {
    const { ask, permissions, decisions } = setUp(policy);
    expect(await ask(request)).toMatchObject({ behavior: 'deny' });
    expect([permissions.isUnasked, decisions[0]?.by]).toEqual([true, 'no user is available to ask']);
  }
});

test('control characters in a call are escaped in questions and decisions', async () => {
  const { ask, output, decisions } = setUp('ask', ['y']);
  await ask({ ...REQUEST, input: { command: 'ls \u001b[2J\n? Bash(true)' } });
  expect(String(output.read())).toContain(String.raw`? Bash(ls \u{1b}[2J\u{a}? Bash(true))`);
  expect(decisions[0]?.call).not.toContain('\u001b');
});
