import type { Step } from '@proto/testkit/steps';

import { ALLOW, anotherAnswer, answersAtOnce, bothAnswers, modeOf, newAnswer, ruleFor } from './host-answers.ts';
import { messages, type Operation } from './host-messages.ts';
import { sending, type SessionWriter } from './session-writer.ts';

/** The approval of a question that an interrupt has withdrawn, with a new rule, which must not apply. */
function lateApproval(session: SessionWriter): readonly Step[] {
  const rule = { type: 'addRules', behavior: 'allow', rules: [{ toolName: session.fact('tool-name') }] };
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    { say: session.request('interrupt') },
    ...(session.isLucky(0.7) ? [{ await: { 'no-request': 'can_use_tool' }, within: 3000 }] : []),
    { 'answer-newest': 'can_use_tool', with: { ...ALLOW, updatedPermissions: [{ ...rule, destination: 'session' }] } },
    { serve: { can_use_tool: ALLOW } },
    { say: session.prompt('tool') },
    { await: 'idle' },
  ];
}

/** A request or a cancel of the host with the id of a request of the agent that is open. The ids of the two sides are independent. */
function idsOfTheAgent(session: SessionWriter): readonly Step[] {
  // If both have the same id, an echo of the host's answer looks like the agent's answer.
  if (session.isReplayed || session.hasUsedAnId) return [];
  session.hasUsedAnId = true;
  const request_id = '${newest.request_id}';
  const request = session.oneOf([{ subtype: 'mcp_status' }, { subtype: 'set_permission_mode', mode: 'default' }]);
  const asking = { with: { type: 'control_request', request_id, request }, spec: 'CTL-3' };
  const cancelling = { with: { type: 'control_cancel_request', request_id }, spec: 'CTL-27' };
  return [
    { serve: { can_use_tool: null } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    { 'say-about-newest': 'can_use_tool', ...(session.isLucky(0.6) ? asking : cancelling) },
    { await: { messages: 1 }, within: 1000 },
    { serve: { can_use_tool: ALLOW } },
    { await: 'idle' },
  ];
}

/** A mode that the host changes while it is asked about a call. Hooks for the call learn the new mode. */
function modeDuringACall(session: SessionWriter): readonly Step[] {
  return [
    { await: 'idle' },
    { say: session.initialize({ PostToolUse: [{ hookCallbackIds: ['after'] }] }) },
    { serve: { can_use_tool: null, 'hook_callback/after': {} } },
    { say: session.prompt('tool') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    ...session.oneOf<readonly Step[]>([
      [
        { say: session.request('set_permission_mode', { mode: modeOf(session) }) },
        { await: { messages: 1 }, within: 1000 },
        { serve: { can_use_tool: ALLOW } },
      ],
      [
        {
          'answer-newest': 'can_use_tool',
          with: { ...ALLOW, updatedPermissions: [{ type: 'setMode', mode: 'plan', destination: 'session' }] },
        },
        { serve: { can_use_tool: ALLOW } },
      ],
    ]),
    { await: 'idle' },
  ];
}

/** Two equal calls in one turn, both of which the host denies. */
function deniedTwice(session: SessionWriter): readonly Step[] {
  return [
    { await: 'idle' },
    { serve: { can_use_tool: { behavior: 'deny', message: 'Not this one.' } } },
    { say: session.prompt('two-tools') },
    { await: 'idle' },
    { serve: { can_use_tool: ALLOW } },
  ];
}

/** The host changes the inputs of calls, whose hooks receive the changed inputs. */
function changedInputs(session: SessionWriter): readonly Step[] {
  const inputs = [{}, {}, session.fact('tool-changed-input') ?? {}];
  return [
    { await: 'idle' },
    {
      say: session.initialize({
        PostToolUse: [{ hookCallbackIds: ['after'] }],
        PostToolUseFailure: [{ hookCallbackIds: ['failed'] }],
      }),
    },
    ...[session.oneOf(inputs), session.oneOf(inputs)].flatMap((updatedInput) => [
      { serve: { can_use_tool: { ...ALLOW, updatedInput } } },
      { say: session.prompt('tool') },
      { await: 'idle' },
    ]),
    { serve: { can_use_tool: ALLOW } },
  ];
}

/** The host answers the first question of a turn with rules for the later calls of the turn. */
function rulesWithinATurn(session: SessionWriter): readonly Step[] {
  const answer = { ...ALLOW, updatedPermissions: [ruleFor(session, session.fact('tool-name'))] };
  return [
    { await: 'idle' },
    { serve: { can_use_tool: null } },
    { say: session.prompt('two-tools') },
    { await: { request: 'can_use_tool' }, within: 3000 },
    { 'answer-newest': 'can_use_tool', with: answer },
    { serve: { can_use_tool: ALLOW } },
    { await: 'idle' },
  ];
}

/** Lets the host allow or forbid tools one after the other, and the agent call them again. */
function rulesForSeveralTools(session: SessionWriter): readonly Step[] {
  const tools = [
    { prompt: 'tool', name: session.fact('tool-name') },
    { prompt: 'mcp-tool', name: 'mcp__conformance__add' },
  ].filter(({ prompt }) => session.fact(prompt) !== undefined);
  if (tools.length === 0) return sending(messages(session, 1), false);
  const rounds = Array.from({ length: 2 + session.below(3) }, () => session.oneOf(tools));
  return [
    ...rounds.flatMap(({ prompt, name }) => [
      { serve: { can_use_tool: { ...ALLOW, updatedPermissions: [ruleFor(session, name)] } } },
      { say: session.prompt(prompt) },
      { await: 'idle' },
    ]),
    { serve: { can_use_tool: ALLOW } },
    ...tools.map(({ prompt }) => ({ say: session.prompt(prompt) })),
  ];
}

export const PERMISSION_OPERATIONS: readonly Operation<readonly Step[]>[] = [
  { weight: 3, of: (session) => [anotherAnswer(session)] },
  { weight: 3, of: rulesForSeveralTools },
  { weight: 16, of: (session) => [{ serve: newAnswer(session) }] },
  {
    weight: 4,
    of: (session) => [
      { serve: { can_use_tool: null } },
      { say: session.prompt('tool') },
      { await: { request: 'can_use_tool' }, within: 3000 },
    ],
  },
  {
    weight: 3,
    of: (session) => [
      { serve: { can_use_tool: null, 'hook_callback/permission': null } },
      { say: session.prompt('tool') },
      { await: { request: 'can_use_tool' }, within: 3000 },
      ...bothAnswers(session),
      { serve: { can_use_tool: ALLOW } },
    ],
  },
  {
    weight: 3,
    of: (session) => [
      { serve: { can_use_tool: null } },
      { say: session.prompt('parallel-tools') },
      { await: { request: 'can_use_tool' }, within: 3000 },
      ...(session.isLucky(0.5) ? [{ await: { messages: 4 } }] : []),
      answersAtOnce(session),
      { serve: { can_use_tool: ALLOW } },
    ],
  },
  { weight: 2, of: lateApproval },
  { weight: 4, of: idsOfTheAgent },
  { weight: 2, of: modeDuringACall },
  { weight: 2, of: deniedTwice },
  { weight: 2, of: rulesWithinATurn },
  { weight: 3, of: changedInputs },
];
