import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import { INITIAL_USAGE, trackUsage } from '../state/usage.ts';
import { blocksIn, callIdOf, textOr } from './content.ts';
import type { ContentBlock, SessionInfo, SessionSnapshot, Todo } from './snapshot.ts';

/** The parts of a snapshot that each follow from the last message that reports them. */
export type Facts = Pick<
  SessionSnapshot,
  'todos' | 'plan' | 'activity' | 'usage' | 'contextTokens' | 'info' | 'suggestion'
>;

export const NO_FACTS: Facts = {
  todos: [],
  plan: undefined,
  activity: undefined,
  usage: INITIAL_USAGE,
  contextTokens: 0,
  info: {
    sessionId: undefined,
    title: undefined,
    model: undefined,
    permissionMode: undefined,
    cwd: undefined,
    agentVersion: undefined,
    tools: [],
    commands: [],
    mcpServers: [],
    rateLimit: undefined,
  },
  suggestion: undefined,
};

/** Returns the facts after a message, or the same object if the message changes none. */
export function factsAfter(facts: Facts, message: WireMessage): Facts {
  const { type, subtype } = message;
  switch (type === 'system' ? subtype : type) {
    case 'assistant':
      return callIdOf(message) === undefined ? afterReply(facts, message) : facts;
    case 'result':
      return { ...facts, activity: undefined, usage: trackUsage(facts.usage, message) };
    case 'conversation_reset':
      return { ...facts, todos: [], plan: undefined, usage: trackUsage(facts.usage, message) };
    case 'prompt_suggestion':
      return { ...facts, suggestion: textOr(message['suggestion'], undefined) };
    case 'api_retry': {
      const { attempt, max_retries: most, retry_delay_ms: delay } = message;
      const retrying = { attempt: Number(attempt), maxRetries: Number(most), delayMs: Number(delay) };
      return { ...facts, activity: { kind: 'retrying', ...retrying } };
    }
    case 'status': {
      const { status } = message;
      const activity = status === 'requesting' || status === 'compacting' ? ({ kind: status } as const) : undefined;
      return { ...facts, activity, info: withInfo(facts, message) };
    }
    case 'init':
      return { ...facts, info: { ...withInfo(facts, message), ...listsIn(message) } };
    case 'session_title_changed':
    case 'commands_changed':
    case 'rate_limit_event':
      return { ...facts, info: withInfo(facts, message) };
    default:
      return facts;
  }
}

/** A reply has begun, so that the agent is not waiting for anything. */
export function afterBeginning(facts: Facts): Facts {
  const { activity, suggestion } = facts;
  return (activity ?? suggestion) ? { ...facts, activity: undefined, suggestion: undefined } : facts;
}

function afterReply(before: Facts, message: WireMessage): Facts {
  const facts = afterBeginning(before);
  let { todos, plan } = facts;
  for (const { name, input } of blocksIn(message) as readonly Partial<ContentBlock>[]) {
    if (name === 'TodoWrite' && isRecord(input)) todos = recordsIn(input['todos']).map(todoOf);
    if (name === 'ExitPlanMode' && isRecord(input)) plan = textOr(input['plan'], plan);
  }
  return { ...facts, todos, plan, contextTokens: contextTokensOf(message) ?? facts.contextTokens };
}

/** The texts that several messages report, by their names on the wire. */
const TEXTS = {
  session_id: 'sessionId',
  title: 'title',
  model: 'model',
  permissionMode: 'permissionMode',
  cwd: 'cwd',
  claude_code_version: 'agentVersion',
} as const;

function withInfo({ info }: Facts, message: WireMessage): SessionInfo {
  const texts = Object.entries(TEXTS).map(([wire, name]) => [name, textOr(message[wire], info[name])]);
  const { commands, rate_limit_info: rateLimit } = message;
  return {
    ...info,
    ...Object.fromEntries(texts),
    commands: Array.isArray(commands) ? textsIn(recordsIn(commands).map(({ name }) => name)) : info.commands,
    rateLimit: isRecord(rateLimit) ? rateLimit : info.rateLimit,
  };
}

function listsIn(message: WireMessage): Pick<SessionInfo, 'tools' | 'commands' | 'mcpServers'> {
  const servers = recordsIn(message['mcp_servers']);
  return {
    tools: textsIn(message['tools']),
    commands: textsIn(message['slash_commands']),
    mcpServers: servers.map(({ name, status }) => ({ name: textOr(name, ''), status: textOr(status, '') })),
  };
}

function todoOf({ content, status }: Readonly<Record<string, unknown>>): Todo {
  return {
    content: textOr(content, ''),
    status: status === 'in_progress' || status === 'completed' ? status : 'pending',
  };
}

const TOKENS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'];

function contextTokensOf({ message }: WireMessage): number | undefined {
  const usage = isRecord(message) ? message['usage'] : undefined;
  if (!isRecord(usage)) return undefined;
  const sum = TOKENS.reduce((total, name) => total + (typeof usage[name] === 'number' ? usage[name] : 0), 0);
  // A message that the agent wrote itself has a usage of zeros.
  return sum > 0 ? sum : undefined;
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function recordsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
