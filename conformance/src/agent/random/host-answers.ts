import type { Step } from '@proto/testkit/steps';
import { HOOK_EVENTS, type HookEvent, type SessionWriter } from './session-writer.ts';

export const ALLOW = { behavior: 'allow' };

// The server `conformance` has two tools. One object answers every request, and the agent reads the members that its request needs.
const SERVER = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'conformance', version: '1.0.0' },
  tools: ['add', 'add__all'].map((name) => ({ name, inputSchema: { type: 'object', properties: { a: {}, b: {} } } })),
};
/** The lists of tools that a server may have. All of them contain the tool that prompts call. */
const OTHER_TOOLS = [
  [...SERVER.tools, { name: 'subtract', inputSchema: { type: 'object' } }],
  [{ name: 'multiply', inputSchema: { type: 'object' } }, ...SERVER.tools],
];
/** The text differs for each call, so that the results of calls cannot be confused. */
const TEXT = { content: [{ type: 'text', text: 'The sum of request ${served.request.message.id} is 3.' }] };

const OTHER_BLOCKS = [
  { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
  { type: 'text', text: 'Another text of request ${served.request.message.id}.' },
];

export const SERVER_ANSWER = answerOfServer({ result: { ...SERVER, ...TEXT } });

/** `null` leaves the requests unanswered. */
const SERVER_ANSWERS: readonly unknown[] = [
  SERVER_ANSWER,
  SERVER_ANSWER,
  ...OTHER_TOOLS.map((tools) => answerOfServer({ result: { ...SERVER, tools, ...TEXT } })),
  answerOfServer({ result: { ...SERVER, ...TEXT, isError: true } }),
  answerOfServer({ result: { ...SERVER, content: [] } }),
  ...[0, 1, 2].map((at) =>
    answerOfServer({ result: { ...SERVER, content: OTHER_BLOCKS.toSpliced(at, 0, ...TEXT.content) } }),
  ),
  answerOfServer({ error: { code: -32_603, message: 'The server has failed.' } }),
  { $error: 'The server is not available.' },
];

function answerOfServer(answer: object): object {
  return { mcp_response: { jsonrpc: '2.0', id: '${served.request.message.id}', ...answer } };
}

interface Answer {
  readonly weight: number;
  readonly of: (session: SessionWriter) => unknown;
}

/** `null` leaves the requests unanswered. */
const PERMISSION_ANSWERS: readonly Answer[] = [
  { weight: 2, of: () => ALLOW },
  {
    weight: 1,
    of: () => ({ ...ALLOW, updatedInput: '${served.request.input}', toolUseID: '${served.request.tool_use_id}' }),
  },
  {
    weight: 1,
    of: (session) => ({ ...ALLOW, updatedInput: session.fact('tool-changed-input') ?? '${served.request.input}' }),
  },
  { weight: 1, of: () => ({ ...ALLOW, updatedInput: {} }) },
  { weight: 2, of: () => ({ behavior: 'deny', message: 'Not this one.' }) },
  { weight: 1, of: () => ({ behavior: 'deny', message: 'Stop.', interrupt: true }) },
  { weight: 1, of: () => ({ $error: 'The user cannot be asked.' }) },
  { weight: 1, of: () => ({ behavior: 'no-such-behavior' }) },
  { weight: 2, of: () => null },
  { weight: 3, of: (session) => ({ ...ALLOW, updatedPermissions: [updateOf(session)] }) },
  { weight: 1, of: (session) => ({ ...ALLOW, updatedPermissions: [updateOf(session), updateOf(session)] }) },
  { weight: 1, of: (session) => ({ behavior: 'deny', message: 'No.', updatedPermissions: [updateOf(session)] }) },
];

const MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
  'manual',
  'no-such-mode',
  'ü\u{1F600}',
];

/** A mode: one of the modes of a session, the old name of a mode, or a mode that does not exist. */
export function modeOf(session: SessionWriter): string {
  return session.oneOf(MODES);
}

function updateOf(session: SessionWriter): object {
  const destination = session.oneOf(['session', 'session', 'localSettings', 'no-such-destination']);
  if (session.isLucky(0.3)) return { type: 'setMode', mode: modeOf(session), destination };
  const tools = [session.fact('tool-name'), session.fact('tool-name'), 'mcp__conformance__add', 'NoSuchTool'];
  return { ...ruleFor(session, session.oneOf(tools)), destination };
}

export function ruleFor(session: SessionWriter, toolName: unknown): object {
  const type = session.oneOf(['addRules', 'addRules', 'addRules', 'replaceRules', 'removeRules', 'no-such-update']);
  const behavior = session.oneOf(['allow', 'allow', 'deny', 'ask']);
  const destination = session.oneOf(['session', 'session', 'session', 'localSettings']);
  return { type, behavior, rules: [{ toolName }], destination };
}

/** Answers the newest request of a kind once more, or after the agent has withdrawn it. */
export function anotherAnswer(session: SessionWriter): Step {
  const answers = [
    { 'answer-newest': 'can_use_tool', with: ALLOW },
    { 'answer-newest': 'can_use_tool', with: { behavior: 'deny', message: 'Another answer.' } },
    { 'answer-newest': 'can_use_tool', with: { ...ALLOW, updatedPermissions: [updateOf(session)] } },
    { 'answer-newest': 'hook_callback', with: {} },
    { 'answer-newest': 'hook_callback/permission', with: decisionOf('allow') },
    { 'answer-newest': 'hook_callback/permission', with: decisionOf('deny') },
    { 'answer-newest': 'hook_callback/before', with: decisionBefore('deny') },
    { 'answer-newest': 'mcp_message', with: SERVER_ANSWER },
  ];
  return { ...session.oneOf(answers), spec: 'CTL-10' };
}

const FAILS = { $error: 'The hook has failed.' };

const ANY_HOOK: readonly unknown[] = [
  {},
  { continue: false, stopReason: 'Enough.' },
  { async: true },
  { systemMessage: 'A message of a hook.', suppressOutput: true, noSuchMember: 1 },
  FAILS,
];

/** `null` leaves the calls unanswered. */
const HOOK_ANSWERS: Readonly<Partial<Record<HookEvent, readonly unknown[]>>> = {
  PreToolUse: [
    decisionBefore('allow', { updatedInput: '${served.request.input.tool_input}' }),
    decisionBefore('allow'),
    decisionBefore('deny'),
    decisionBefore('ask'),
    decisionBefore('no-such-decision'),
    null,
  ],
  PostToolUse: [{ decision: 'block', reason: 'Look again.' }],
  PermissionRequest: [decisionOf('allow'), decisionOf('deny'), decisionOf('no-such-behavior'), null],
  UserPromptSubmit: [{ decision: 'block', reason: 'Not this prompt.' }, null],
  // A hook that blocked every time would never let a turn end.
  Stop: [null],
};

function decisionBefore(permissionDecision: string, members: object = {}): object {
  const permissionDecisionReason = 'A hook has decided.\nThis is the reason.';
  const decision = { permissionDecision, permissionDecisionReason, ...members };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } };
}

function decisionOf(behavior: string): object {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } };
}

/** Answers of the host and of its hook to the same question, one right after the other. */
export function bothAnswers(session: SessionWriter): readonly Step[] {
  const byHost = answering('can_use_tool', session.oneOf(PERMISSION_ANSWERS).of(session) ?? ALLOW);
  const decision = session.oneOf([decisionOf('allow'), decisionOf('deny'), decisionOf('no-such-behavior'), {}, FAILS]);
  const byHook = answering('hook_callback/permission', decision);
  return session.isLucky(0.5) ? [byHost, byHook] : [byHook, byHost];
}

function answering(name: string, answer: unknown): Step {
  const { $error: error } = answer as { readonly $error?: string };
  return { 'answer-newest': name, ...(error === undefined ? { with: answer } : { error }) };
}

/** What the host answers from now on, as the value of a step `serve`. */
export function newAnswer(session: SessionWriter): object {
  return session.withTexts(session.weighted(NEW_ANSWERS).of(session));
}

/** What the MCP server answers from now on. */
export function newServerAnswer(session: SessionWriter): Step {
  return { serve: { mcp_message: session.withTexts(session.oneOf(SERVER_ANSWERS)) } };
}

const NEW_ANSWERS = [
  { weight: 14, of: (session: SessionWriter) => ({ can_use_tool: session.weighted(PERMISSION_ANSWERS).of(session) }) },
  { weight: 14, of: hookAnswer },
  { weight: 5, of: (session: SessionWriter) => ({ mcp_message: session.oneOf(SERVER_ANSWERS) }) },
];

/** Answers to several open questions in one write. */
export function answersAtOnce(session: SessionWriter): Step {
  const answer = () => session.weighted(PERMISSION_ANSWERS).of(session) ?? ALLOW;
  return { 'answer-open': 'can_use_tool', with: [answer(), answer(), answer()].filter(isPayload) };
}

/** An error is not an answer that the step can send. */
function isPayload(answer: unknown): boolean {
  return !Object.hasOwn(answer as object, '$error');
}

function hookAnswer(session: SessionWriter): object {
  const events = [...session.hookEvents];
  const event = events.length === 0 ? 'PreToolUse' : session.oneOf(events);
  const changed = session.fact('tool-changed-input');
  const isChanging = event === 'PreToolUse' && changed !== undefined && session.isLucky(0.2);
  if (isChanging) return { 'hook_callback/before': decisionBefore('allow', { updatedInput: changed }) };
  const own = HOOK_ANSWERS[event] ?? [];
  const answers = own.length > 0 && session.isLucky(0.7) ? own : ANY_HOOK;
  return { [`hook_callback/${session.oneOf<string>(HOOK_EVENTS[event])}`]: session.oneOf(answers) };
}

export function answerAll(): object {
  const hooks = Object.values(HOOK_EVENTS).flat();
  return {
    can_use_tool: ALLOW,
    mcp_message: SERVER_ANSWER,
    elicitation: { action: 'cancel' },
    ...Object.fromEntries(hooks.map((id) => [`hook_callback/${id}`, {}])),
  };
}
