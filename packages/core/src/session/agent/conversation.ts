import type { WireMessage } from '../../framing/parse-line.ts';
import type { AgentOptions } from './agent-options.ts';

/** The conversation of a session: what was loaded at its start, and what was said since on the main thread. */
export interface Conversation {
  readonly messages: readonly WireMessage[];
  /** Adds a message; gives it with the id it goes by. Throws what the store throws. */
  remember(message: WireMessage): WireMessage;
}

/** Makes the conversation of a session, which its store is given as it grows. */
export function createConversation(
  { history = [], sessionStore }: Pick<AgentOptions, 'history' | 'sessionStore'>,
  createId: () => string,
): Conversation {
  const messages = [...history];
  return {
    messages,
    remember(message) {
      const kept = typeof message['uuid'] === 'string' ? message : { ...message, uuid: createId() };
      messages.push(kept);
      sessionStore?.append?.(kept);
      return kept;
    },
  };
}

/** What belongs to it: neither what a subagent says, nor an echo, nor a part of a message that comes whole later. */
export function isConversation({ type, parent_tool_use_id: parent, isReplay }: WireMessage): boolean {
  return (type === 'assistant' || type === 'user') && typeof parent !== 'string' && isReplay !== true;
}
