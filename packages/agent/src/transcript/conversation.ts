import type { WireMessage } from '@proto/core/framing';
import type { AgentOptions } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import { createSessionMirror, type SessionTitle } from './session-mirror.ts';

/** The conversation of a session: the messages that were loaded at its start, and all messages since then. */
export interface Conversation {
  /** The messages of the main thread. */
  readonly messages: readonly WireMessage[];
  /** The messages of each subagent, by its `parent_tool_use_id`. */
  readonly subagents: ReadonlyMap<string, readonly WireMessage[]>;
  /**
   * Adds a prompt. If an earlier process ended during the turn of this prompt, the messages after the prompt are removed from the conversation, and
   * the turn begins again.
   */
  begin(message: WireMessage): void;
  /** Returns the message with its id. Throws if the store throws. */
  remember(message: WireMessage): WireMessage;
  /** Adds one of the agent's messages to the thread that it belongs to, and returns the message to send. */
  follow(message: WireMessage): WireMessage;
  /** Throws if the store throws. */
  setTitle(title: SessionTitle): void;
  /** Sends new messages to a host with a session store. Returns `undefined` if there is nothing to send. */
  mirror(): Promise<void> | undefined;
}

/** Each message is passed to the session store and, if there is a mirror, to the host's store. */
export function createConversation({ options, sessionId, createId, emitAsItIs: emit }: ConversationWire): Conversation {
  const { history = [], subagentHistory = new Map(), store, mirror: mirrorOptions } = options.session ?? {};
  const mirror = mirrorOptions && createSessionMirror({ ...mirrorOptions, sessionId, history, emit });
  const messages = [...history];
  // An index, so that a new prompt requires no search: most prompts are not repeated.
  let ids = idsOf(messages);
  const subagents = new Map(Array.from(subagentHistory, ([agentID, said]) => [agentID, [...said]]));
  // The time is set here, so that it is the same in both stores and on the wire.
  const identified = (message: WireMessage) => {
    const { uuid, timestamp = new Date().toISOString() } = message;
    return { ...message, uuid: typeof uuid === 'string' ? uuid : createId(), timestamp };
  };

  function remember(message: WireMessage): WireMessage {
    const kept = identified(message);
    const parent = messages.at(-1);
    messages.push(kept);
    ids.add(kept.uuid);
    store?.append?.(kept);
    mirror?.add(kept, parent);
    return kept;
  }

  return {
    messages,
    subagents,
    remember,
    setTitle(title) {
      store?.setTitle?.(title);
      mirror?.addTitle(title);
    },
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
      store?.appendSubagent?.(kept, agentID);
      return kept;
    },
  };
}

interface ConversationWire extends Pick<AgentWire, 'sessionId' | 'createId' | 'emitAsItIs'> {
  readonly options: Pick<AgentOptions, 'session'>;
}

function idsOf(messages: readonly WireMessage[]): Set<unknown> {
  return new Set(messages.flatMap(({ uuid }) => uuid ?? []));
}

/** Whether a message belongs to the main thread, and not to a subagent. */
export function isConversation(message: WireMessage): boolean {
  return isSaid(message) && typeof message['parent_tool_use_id'] !== 'string';
}

/** Echoes are not part of the conversation, nor are increments of a message that is later sent whole. */
function isSaid({ type, isReplay }: WireMessage): boolean {
  return (type === 'assistant' || type === 'user') && isReplay !== true;
}
