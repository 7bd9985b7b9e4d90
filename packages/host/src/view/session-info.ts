import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import { textOr } from './content.ts';
import type { ContentBlock, SessionInfo, Todo } from './snapshot.ts';

export const NO_INFO: SessionInfo = {
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
};

/** Returns what is known about the agent after an `init` message. */
export function afterInit(info: SessionInfo, message: WireMessage): SessionInfo {
  const { session_id: sessionId, model, permissionMode, cwd, claude_code_version: version } = message;
  return {
    ...info,
    sessionId: textOr(sessionId, info.sessionId),
    model: textOr(model, info.model),
    permissionMode: textOr(permissionMode, info.permissionMode),
    cwd: textOr(cwd, info.cwd),
    agentVersion: textOr(version, info.agentVersion),
    tools: textsIn(message['tools']),
    commands: textsIn(message['slash_commands']),
    mcpServers: recordsIn(message['mcp_servers']).map(({ name, status }) => ({
      name: textOr(name, ''),
      status: textOr(status, ''),
    })),
  };
}

/** The entries of the agent's list, if the block is a call of the tool that changes the list. */
export function todosIn({ name, input }: ContentBlock): readonly Todo[] | undefined {
  if (name !== 'TodoWrite' || !isRecord(input)) return undefined;
  return recordsIn(input['todos']).map(({ content, status }) => ({
    content: textOr(content, ''),
    status: status === 'in_progress' || status === 'completed' ? status : 'pending',
  }));
}

/** The plan, if the block is a call of the tool that presents it. */
export function planIn({ name, input }: ContentBlock): string | undefined {
  return name === 'ExitPlanMode' && isRecord(input) ? textOr(input['plan'], undefined) : undefined;
}

/** How many tokens a reply needed in the context window; undefined if the reply does not say. */
export function contextTokensOf({ message }: WireMessage): number | undefined {
  const usage = isRecord(message) ? message['usage'] : undefined;
  if (!isRecord(usage)) return undefined;
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'];
  const sum = parts.reduce((total, part) => total + (typeof usage[part] === 'number' ? usage[part] : 0), 0);
  // A message that the agent wrote itself has a usage of zeros.
  return sum > 0 ? sum : undefined;
}

/** The names in a list of commands: each command is its name, or an object with its name. */
export function commandNames(commands: unknown): readonly string[] {
  const list = Array.isArray(commands) ? commands : [];
  return textsIn(list.map((command) => (isRecord(command) ? command['name'] : command)));
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

function recordsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
