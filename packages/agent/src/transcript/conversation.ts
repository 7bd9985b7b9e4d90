import type { WireMessage } from '@proto/core/framing';
import type { AgentOptions } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { createSessionMirror } from './session-mirror.ts';

/** The conversation of a session: what was loaded at its start, and what was said since. */
export interface Conversation {
  /** On the main thread. */
  readonly messages: readonly WireMessage[];
  /** What each subagent said, by its `parent_tool_use_id`. */
  readonly subagents: ReadonlyMap<string, readonly WireMessage[]>;
  /** Adds a prompt. One whose turn was cut with its process begins anew: what came behind it is no part of the conversation. */
  begin(message: WireMessage): void;
  /** Adds a message of the main thread; gives it with the id it goes by. Throws what the store throws. */
  remember(message: WireMessage): WireMessage;
  /** Adds one that the agent says, where it belongs; gives it as it is to be said. */
  follow(message: WireMessage): WireMessage;
  /** Tells a host that has a session store what was added since; undefined where there is nothing to tell. */
  mirror(): Promise<void> | undefined;
}

/** Makes the conversation of a session, which its store is given as it grows, and the host's store by a mirror. */
export function createConversation({ options, sessionId, createId, emitAsItIs: emit }: ConversationWire): Conversation {
  const { history = [], subagentHistory = new Map(), sessionStore, sessionMirror } = options;
  const mirror = sessionMirror && createSessionMirror({ ...sessionMirror, sessionId, history, emit });
  const messages = [...history];
  // So that each prompt needs no search: few come a second time.
  let ids = idsOf(messages);
  const subagents = new Map(Array.from(subagentHistory, ([agentID, said]) => [agentID, [...said]]));
  // With its time, so that the store, the host's store and the wire tell the same of it.
  const identified = (message: WireMessage) => {
    const { uuid, timestamp = new Date().toISOString() } = message;
    return { ...message, uuid: typeof uuid === 'string' ? uuid : createId(), timestamp };
  };

  function remember(message: WireMessage): WireMessage {
    const kept = identified(message);
    const parent = messages.at(-1);
    messages.push(kept);
    ids.add(kept.uuid);
    sessionStore?.append?.(kept);
    mirror?.add(kept, parent);
    return kept;
  }

  return {
    messages,
    subagents,
    remember,
    mirror: () => mirror?.flush(),
    begin(message) {
      const { uuid } = message;
      if (uuid !== undefined && ids.has(uuid)) {
        messages.splice(messages.findIndex((said) => said['uuid'] === uuid));
        ids = idsOf(messages);
      }
      remember(message);
    },
    follow(message) {
      if (isConversation(message)) return remember(message);
      const agentID = message['parent_tool_use_id'];
      if (typeof agentID !== 'string' || !isSaid(message)) return message;
      const kept = identified(message);
      const said = subagents.get(agentID);
      if (said === undefined) subagents.set(agentID, [kept]);
      else said.push(kept);
      sessionStore?.appendSubagent?.(kept, agentID);
      return kept;
    },
  };
}

interface ConversationWire extends Pick<AgentWire, 'sessionId' | 'createId' | 'emitAsItIs'> {
  readonly options: Pick<AgentOptions, 'history' | 'subagentHistory' | 'sessionStore' | 'sessionMirror'>;
}

function idsOf(messages: readonly WireMessage[]): Set<unknown> {
  return new Set(messages.flatMap(({ uuid }) => uuid ?? []));
}

/** What belongs to its main thread: not what a subagent says. */
export function isConversation(message: WireMessage): boolean {
  return isSaid(message) && typeof message['parent_tool_use_id'] !== 'string';
}

/** Neither an echo, nor a part of a message that comes whole later. */
function isSaid({ type, isReplay }: WireMessage): boolean {
  return (type === 'assistant' || type === 'user') && isReplay !== true;
}
