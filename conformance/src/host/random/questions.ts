import type { Step } from '@proto/testkit/steps';

import { oddText, oddValue } from '../../random/odd-values.ts';
import { DENY, type SessionWriter } from './session-writer.ts';

export interface AgentRequest {
  readonly request: Readonly<Record<string, unknown>>;
  /** Absent if the user is not asked. */
  readonly question?: { readonly pattern: object; readonly answers: readonly ChosenAnswer[] };
}

type Answer = { readonly with: unknown } | { readonly error: string };
type ChosenAnswer = Answer | ((session: SessionWriter) => Answer);

const FAILS: Answer = { error: 'The user cannot be asked.' };

const INPUTS: readonly unknown[] = [
  { command: 'touch a' },
  {},
  { command: '', timeout: null, list: [], deep: { a: { b: [null, 0, false, ''] } }, '': 1 },
  { text: '\u2028 \u{1F600} e\u0301 "\\', later_member: [1.5, 1e21] },
  { request_id: 'of-the-input', type: 'control_response', response: { request_id: 'of-the-input' }, uuid: 'x' },
  { content: { $repeat: 'ä✓\u{1F600}\u{1F600}', times: 30_000 } },
];
const TOOLS = ['Bash', 'Read', 'Write', 'mcp__lab__echo ü'];

const CHANGED_INPUTS = [undefined, undefined, { command: 'changed', a: null }, {}];
const UPDATES = [
  undefined,
  undefined,
  [
    { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'a *' }], behavior: 'deny', destination: 'session' },
    { type: 'setMode', mode: 'plan', destination: 'session' },
  ],
  ['Bash', 'Read', 'Write'].map((toolName) => ({
    type: 'addRules',
    rules: [{ toolName }],
    behavior: 'allow',
    destination: 'session',
  })),
];

/** Approvals with every combination of a changed input and new rules. */
const APPROVALS: readonly Answer[] = CHANGED_INPUTS.flatMap((updatedInput) =>
  UPDATES.map((updatedPermissions) => ({
    with: {
      behavior: 'allow',
      ...(updatedInput === undefined ? {} : { updatedInput }),
      ...(updatedPermissions === undefined ? {} : { updatedPermissions }),
    },
  })),
);

const OTHER_DECISIONS: readonly Answer[] = [
  { with: DENY },
  { with: { behavior: 'deny', message: '', interrupt: true } },
  { with: { behavior: 'deny', message: 'Go on.', interrupt: false } },
  FAILS,
];
const DECISIONS: readonly ChosenAnswer[] = [
  ...APPROVALS,
  ...Array.from({ length: 3 }, () => OTHER_DECISIONS).flat(),
  ...Array.from({ length: 4 }, () => withOddInput),
];

/** Changes of permissions that an agent suggests. */
const SUGGESTIONS = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'a *' }],
    behavior: 'allow',
    destination: 'localSettings',
  },
  { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  { type: 'addDirectories', directories: ['/a ü'], destination: 'session' },
];

function withOddInput(session: SessionWriter): Answer {
  return { with: { behavior: 'allow', updatedInput: { value: oddValue(session), [oddText(session)]: null } } };
}

/** The user approves with some of the suggestions, which the user may have changed. */
function withSuggestions(session: SessionWriter): Answer {
  const chosen = SUGGESTIONS.filter(() => session.isLucky(0.6));
  const updatedPermissions = chosen.map((update) =>
    session.isLucky(0.5) ? update : { ...update, destination: session.oneOf(['session', 'userSettings']) },
  );
  return { with: { behavior: 'allow', updatedPermissions } };
}

const HOOK_ANSWERS: readonly ChosenAnswer[] = [
  { with: {} },
  { with: { continue: false, stopReason: 'Enough. \u2028' } },
  { with: { decision: 'block', reason: '' } },
  {
    with: {
      systemMessage: '',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: '',
        updatedInput: { a: null, b: [] },
      },
    },
  },
  (session) => ({
    with: {
      systemMessage: oddText(session),
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: oddText(session), later_member: 1 },
    },
  }),
  FAILS,
];

const FORM_ANSWERS: readonly ChosenAnswer[] = [
  { with: { action: 'accept', content: {} } },
  (session) => ({
    with: {
      action: 'accept',
      content: { texts: ['red', oddText(session), ''], none: [], count: 1.5, [oddText(session)]: oddText(session) },
    },
  }),
  { with: { action: 'accept', content: { name: '', count: 0, sure: false } } },
  { with: { action: 'decline' } },
  { with: { action: 'cancel' } },
  FAILS,
];

const DIALOG_ANSWERS: readonly ChosenAnswer[] = [
  { with: { behavior: 'completed', result: { picked: 0, list: [] } } },
  ...[null, false, 0, ''].map((result) => ({ with: { behavior: 'completed', result } })),
  (session) => ({ with: { behavior: 'completed', result: oddValue(session) } }),
  { with: { behavior: 'cancelled' } },
  FAILS,
];

export function permission(session: SessionWriter): AgentRequest {
  const tool_use_id = `toolu_${session.number()}`;
  session.askedCall = tool_use_id;
  const isSuggesting = session.isLucky(0.3);
  const request = {
    subtype: 'can_use_tool',
    tool_name: session.oneOf(TOOLS),
    input: session.isLucky(0.3) ? { value: oddValue(session), [oddText(session)]: 1 } : session.oneOf(INPUTS),
    tool_use_id,
    ...(isSuggesting ? { permission_suggestions: SUGGESTIONS } : {}),
  };
  if (session.start.options?.permissions !== true) return { request };
  const answers = isSuggesting ? [withSuggestions, ...OTHER_DECISIONS.slice(0, 1)] : DECISIONS;
  return { request, question: { pattern: { kind: 'permission', request: { tool_use_id } }, answers } };
}

/** The hook may not exist. */
function hookCall(session: SessionWriter): AgentRequest {
  const hooks = session.start.options?.hooks ?? [];
  const hook = hooks.length === 0 ? undefined : session.oneOf([...hooks, undefined]);
  const number = session.number();
  const event = hook?.event ?? 'Stop';
  const input = {
    session_id: `session-${number}`,
    transcript_path: '/a',
    cwd: '',
    hook_event_name: event,
    ...inputOf(event, session),
  };
  // A hook and a permission request may concern the same call.
  const tool_use_id = session.askedCall !== undefined && session.isLucky(0.4) ? session.askedCall : `toolu_${number}`;
  const request = { subtype: 'hook_callback', input, tool_use_id };
  if (hook === undefined)
    return { request: { ...request, callback_id: session.oneOf(['no_such_hook', '__proto__', '']) } };
  const at = hooks.slice(0, hooks.indexOf(hook)).filter((each) => each.event === event).length;
  return {
    request: { ...request, callback_id: `\${initialize.request.hooks.${event}.${at}.hookCallbackIds.0}` },
    question: {
      pattern: { kind: 'hook', request: { input: { session_id: `session-${number}` } } },
      answers: HOOK_ANSWERS,
    },
  };
}

function inputOf(event: string, session: SessionWriter): object {
  if (event === 'UserPromptSubmit') return { prompt: session.oneOf(['', 'a \u2028']) };
  if (event === 'Stop') return { stop_hook_active: session.isLucky(0.5) };
  const tool = {
    tool_name: session.oneOf(TOOLS),
    tool_input: session.oneOf(INPUTS),
    tool_use_id: `toolu_${session.number()}`,
  };
  return event === 'PostToolUse' ? { ...tool, tool_response: { stdout: '', later_member: null } } : tool;
}

function form(session: SessionWriter): AgentRequest {
  const message = `Form ${session.number()}?`;
  const requested_schema = { type: 'object', properties: { name: { type: 'string' } } };
  const request = { subtype: 'elicitation', mcp_server_name: 'asker', message, mode: 'form', requested_schema };
  if (session.start.options?.elicitation !== true) return { request };
  return { request, question: { pattern: { kind: 'elicitation', request: { message } }, answers: FORM_ANSWERS } };
}

/** May be of a kind that the host does not show. */
function dialog(session: SessionWriter): AgentRequest {
  const { dialogs = [] } = session.start.options ?? {};
  const dialog_kind = session.oneOf([...dialogs, 'hologram']);
  const number = session.number();
  const request = { subtype: 'request_user_dialog', dialog_kind, payload: { number } };
  if (!dialogs.includes(dialog_kind)) return { request };
  return {
    request,
    question: { pattern: { kind: 'dialog', request: { payload: { number } } }, answers: DIALOG_ANSWERS },
  };
}

export const QUESTIONS = [permission, hookCall, form, dialog] as const;

export function ask(session: SessionWriter): AgentRequest {
  return session.oneOf([permission, permission, hookCall, hookCall, form, dialog])(session);
}

export function decision(session: SessionWriter, { question }: AgentRequest): Step | undefined {
  if (question === undefined || !session.canAnswer) return undefined;
  const answer = session.oneOf(question.answers);
  return { 'answer-questions': question.pattern, ...(typeof answer === 'function' ? answer(session) : answer) };
}
