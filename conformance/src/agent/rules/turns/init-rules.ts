import { shortJson } from '@proto/testkit/steps';

import { listOf, member, type Message, type Session } from '../../session-log.ts';
import { type Broken, firstOf, type Rule } from '../rule.ts';
import { isInit } from '../timeline.ts';

export const initRules: readonly Rule[] = [
  { name: 'init/same', spec: 'TRN-60', check: otherAgents },
  { name: 'init/tools-once', spec: 'TRN-61', check: (session) => inits(session, toolTwice) },
  { name: 'init/servers-once', spec: 'MCP-3', check: (session) => inits(session, serverTwice) },
  { name: 'init/tools-of-servers', spec: 'MCP-37', check: (session) => inits(session, toolOfNoServer) },
  { name: 'state/running-in-a-turn', spec: 'TRN-62', check: turnsWithoutRunning },
  { name: 'reset/old-session', spec: 'TRN-44', check: resetsOfOtherSessions },
  { name: 'reset/announced', spec: 'TRN-44', check: silentResets },
];

function inits({ received }: Session, check: (message: Message) => Broken | undefined): Broken | undefined {
  return firstOf(received, ({ message }) => (isInit(message) ? check(message) : undefined));
}

const SAME = ['cwd', 'claude_code_version', 'capabilities'];

function otherAgents(session: Session): Broken | undefined {
  let first: Message | undefined;
  return inits(session, (message) => {
    first ??= message;
    const name = SAME.find((each) => JSON.stringify(first?.[each]) !== JSON.stringify(message[each]));
    return name === undefined ? undefined : { message: `${name} in system/init has changed.`, got: message };
  });
}

function toolTwice(message: Message): Broken | undefined {
  const twice = repeated(listOf(message['tools']));
  return twice === undefined
    ? undefined
    : { message: `tools in system/init contains ${shortJson(twice)} twice.`, got: message };
}

function serverTwice(message: Message): Broken | undefined {
  const twice = repeated(listOf(message['mcp_servers']).map((server) => member(server, 'name')));
  return twice === undefined
    ? undefined
    : { message: `mcp_servers in system/init contains ${shortJson(twice)} twice.`, got: message };
}

function toolOfNoServer(message: Message): Broken | undefined {
  const connected = listOf(message['mcp_servers'])
    .filter((server) => member(server, 'status') === 'connected')
    .map((server) => toolPrefixOf(member(server, 'name')));
  const tool = listOf(message['tools']).find(
    (name) => String(name).startsWith('mcp__') && !connected.some((prefix) => String(name).startsWith(prefix)),
  );
  return tool === undefined
    ? undefined
    : {
        message: `tools in system/init contains ${shortJson(tool)}, although its server is not connected.`,
        got: message,
      };
}

/** Returns the prefix of the names of an MCP server's tools, in `system/init` and in the model's calls. */
export function toolPrefixOf(server: unknown): string {
  return `mcp__${String(server).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}__`;
}

function turnsWithoutRunning({ received }: Session): Broken | undefined {
  if (!received.some(({ message }) => message['subtype'] === 'session_state_changed')) return undefined;
  let state: unknown;
  return firstOf(received, ({ message }) => {
    if (message['subtype'] === 'session_state_changed') state = message['state'];
    return !isInit(message) || state === 'running'
      ? undefined
      : { message: `A turn begins, but the last reported state is ${shortJson(state)}.`, got: message };
  });
}

function resetsOfOtherSessions({ received }: Session): Broken | undefined {
  let id: unknown;
  return firstOf(received, ({ message }) => {
    const { type, session_id: own } = message;
    if (type === 'conversation_reset' && id !== undefined && own !== id)
      return {
        message: `conversation_reset has the session_id ${shortJson(own)}, but must have the old session_id.`,
        got: message,
      };
    if (isInit(message) || type === 'assistant') id = own;
    return undefined;
  });
}

function silentResets({ received }: Session): Broken | undefined {
  let id: unknown;
  return firstOf(received, ({ message }) => {
    if (message['type'] === 'conversation_reset') id = undefined;
    if (!isInit(message)) return undefined;
    const last = id;
    id = message['session_id'];
    return last === undefined || last === id
      ? undefined
      : { message: `The session_id is now ${shortJson(id)}, but no conversation_reset was sent before.`, got: message };
  });
}

function repeated(values: readonly unknown[]): unknown {
  const seen = new Set<unknown>();
  for (const value of values) {
    if (seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}
