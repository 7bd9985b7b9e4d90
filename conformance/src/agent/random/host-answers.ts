import { HOOK_EVENTS, type SessionWriter } from './session-writer.ts';

export const ALLOW = { behavior: 'allow' };

// `conformance` has one tool. The agent takes from each answer what its request needs.
const SERVER = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'conformance', version: '1.0.0' },
  tools: [{ name: 'add', inputSchema: { type: 'object', properties: { a: {}, b: {} } } }],
};
const TEXT = { content: [{ type: 'text', text: 'The sum is 3.' }] };

export const SERVER_ANSWER = answerOfServer({ result: { ...SERVER, ...TEXT } });

/** What the MCP server of the host answers. `null` leaves its requests unanswered. */
const SERVER_ANSWERS: readonly unknown[] = [
  SERVER_ANSWER,
  SERVER_ANSWER,
  answerOfServer({ result: { ...SERVER, ...TEXT, isError: true } }),
  answerOfServer({ result: { ...SERVER, content: [] } }),
  answerOfServer({ error: { code: -32_603, message: 'The server has failed.' } }),
  { $error: 'The server is not available.' },
];

function answerOfServer(answer: object): object {
  return { mcp_response: { jsonrpc: '2.0', id: '${served.request.message.id}', ...answer } };
}

/** The answers to permission requests. `null` leaves the requests unanswered. */
const PERMISSION_ANSWERS: readonly ((session: SessionWriter) => unknown)[] = [
  () => ALLOW,
  () => ALLOW,
  () => ({ ...ALLOW, updatedInput: '${served.request.input}', toolUseID: '${served.request.tool_use_id}' }),
  (session) => ({ ...ALLOW, updatedInput: session.fact('tool-changed-input') ?? '${served.request.input}' }),
  () => ({ behavior: 'deny', message: 'Not this one.' }),
  () => ({ behavior: 'deny', message: 'Stop.', interrupt: true }),
  () => ({ $error: 'The user cannot be asked.' }),
  () => ({ behavior: 'no-such-behavior' }),
  () => null,
  (session) => ({ ...ALLOW, updatedPermissions: [updateOf(session)] }),
  (session) => ({ ...ALLOW, updatedPermissions: [updateOf(session), updateOf(session)] }),
  (session) => ({ behavior: 'deny', message: 'No.', updatedPermissions: [updateOf(session)] }),
];

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions', 'manual', 'no-such-mode'];

/** The modes of a session, the old name of one, and one that does not exist. */
export function modeOf(session: SessionWriter): string {
  return session.oneOf(MODES);
}

function updateOf(session: SessionWriter): object {
  const destination = session.oneOf(['session', 'session', 'no-such-destination']);
  if (session.isLucky(0.3)) return { type: 'setMode', mode: modeOf(session), destination };
  const type = session.oneOf(['addRules', 'addRules', 'replaceRules', 'removeRules', 'no-such-update']);
  const behavior = session.oneOf(['allow', 'allow', 'deny', 'ask']);
  const tools = [session.fact('tool-name'), session.fact('tool-name'), 'mcp__conformance__add', 'NoSuchTool'];
  return { type, behavior, rules: [{ toolName: session.oneOf(tools) }], destination };
}

/** The answers of any hook. */
const ANY_HOOK: readonly unknown[] = [
  {},
  { continue: false, stopReason: 'Enough.' },
  { async: true },
  { systemMessage: 'A message of a hook.', suppressOutput: true, noSuchMember: 1 },
  { $error: 'The hook has failed.' },
];

/** The answers of hooks for one event. `null` leaves the calls unanswered. */
const HOOK_ANSWERS: Readonly<Partial<Record<keyof typeof HOOK_EVENTS, readonly unknown[]>>> = {
  PreToolUse: [
    decisionBefore('allow'),
    decisionBefore('deny'),
    decisionBefore('ask'),
    decisionBefore('no-such-decision'),
    null,
  ],
  PostToolUse: [{ decision: 'block', reason: 'Look again.' }],
  PermissionRequest: [decisionOf('allow'), decisionOf('deny'), decisionOf('no-such-behavior'), null],
  UserPromptSubmit: [{ decision: 'block', reason: 'Not this prompt.' }, null],
};

function decisionBefore(permissionDecision: string): object {
  const permissionDecisionReason = 'A hook has decided.';
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason } };
}

function decisionOf(behavior: string): object {
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } };
}

/** What the host answers from now on, as the value of a step `serve`. */
export function newAnswer(session: SessionWriter): object {
  const kind = session.below(session.hasServers ? 10 : 9);
  if (kind < 5) return { can_use_tool: session.oneOf(PERMISSION_ANSWERS)(session) };
  if (kind === 9) return { mcp_message: session.oneOf(SERVER_ANSWERS) };
  const [event, ids] = session.oneOf(Object.entries(HOOK_EVENTS));
  const answers = [...ANY_HOOK, ...(HOOK_ANSWERS[event as keyof typeof HOOK_EVENTS] ?? [])];
  return { [`hook_callback/${session.oneOf(ids)}`]: session.oneOf(answers) };
}

/** Answers everything, so that the session can end. */
export function answerAll(): object {
  const hooks = Object.values(HOOK_EVENTS).flat();
  return {
    can_use_tool: ALLOW,
    mcp_message: SERVER_ANSWER,
    ...Object.fromEntries(hooks.map((id) => [`hook_callback/${id}`, {}])),
  };
}
