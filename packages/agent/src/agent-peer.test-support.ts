import { createSession, type RequestHandler } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair } from '@proto/core/transport';
import type { AgentOptions } from './agent-options.ts';
import { textOf } from './prompts/prompt.ts';
import { runAgent } from './agent-session.ts';
import type { RunTurn } from './turns/turn.ts';

export const assistant = (text: string, members: object = {}): WireMessage => ({
  type: 'assistant',
  message: { id: `msg_${text}`, role: 'assistant', content: [{ type: 'text', text }], stop_reason: null },
  parent_tool_use_id: null,
  ...members,
});

export const user = (content: unknown, members: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...members,
});

const parrot: RunTurn = async function* ({ prompt }) {
  yield { type: 'stream_event', event: { type: 'message_start' }, parent_tool_use_id: null };
  yield assistant(textOf(prompt));
};

export const untilAborted: RunTurn = async function* ({ signal }) {
  yield assistant('working');
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield assistant('cut', { aborted: true });
};

export const toolUse = (name: string, id: string, input: object = {}): WireMessage => ({
  type: 'assistant',
  message: { id: `msg_${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }], stop_reason: null },
  parent_tool_use_id: null,
});

export const toolResult = (id: string, content: string): WireMessage =>
  user([{ type: 'tool_result', tool_use_id: id, content }], { parent_tool_use_id: null });

/** An agent over the memory pair, and the session of its host. */
export function agentPeer(
  options: Partial<AgentOptions> = {},
  handlers: Readonly<Record<string, RequestHandler>> = {},
) {
  const { host, agent } = createMemoryPair();
  const outcome = runAgent(agent, { runTurn: parrot, ...options, session: { id: 'session-1', ...options.session } });
  outcome.catch(() => {});
  const seen: WireMessage[] = [];
  const session = createSession(host, { handlers, onResponse: (response) => void seen.push(response) });
  const items = session[Symbol.asyncIterator]();
  /** Reads messages of the agent up to the first that matches, or to its end. */
  const until = async (matches: (message: WireMessage) => boolean) => {
    const messages: WireMessage[] = [];
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      if (next.value.kind !== 'message') continue;
      messages.push(next.value.message);
      seen.push(next.value.message);
      if (matches(next.value.message)) break;
    }
    return messages;
  };
  const turn = () => until(({ type }) => type === 'result');
  /** Ends the input, and reads all remaining messages of the agent. */
  const rest = async () => {
    await session.end();
    return until(() => false);
  };
  return { session, items, outcome, seen, turn, until, rest };
}

export const kinds = (messages: readonly WireMessage[]) =>
  messages.map(({ type, subtype, state }) => {
    const detail = typeof subtype === 'string' ? subtype : state;
    return typeof detail === 'string' ? `${type}/${detail}` : type;
  });
