import type { WireMessage } from '@proto/core';
import type { Incoming } from '@proto/core/transport';
import type { OwnTurns } from '../connect/own-turns.ts';
import { incomingOf } from '../network/incoming-of.ts';
import type { Travelling } from './travelling.ts';

/** What passes between a host that believes to have started an agent, and an agent that is elsewhere. */
export interface Conversation {
  /** What the agent is to hear of what the host says. */
  fromHost(item: Incoming): readonly Incoming[];
  /** What the host is to hear of what the agent says. */
  fromAgent(item: Incoming): readonly Incoming[];
}

/** What a host has asked for, and who hears what comes of it. */
export interface ConversationOptions {
  readonly travelling: Travelling;
  readonly turns: OwnTurns;
  readonly includePartialMessages: boolean;
  readonly replayUserMessages: boolean;
  /** Whether the host hears that the session is idle. */
  readonly tellsState: boolean;
  /** Whether the host takes a request: one it cannot answer is answered for it. */
  readonly hears: (request: Members) => boolean;
  readonly answer: (response: WireMessage) => void;
  /** The host has said something. */
  readonly onSpoken: () => void;
  /** A line of the host that is no message. */
  readonly onMalformed: (reason: string) => void;
  /** The agent will not do what a flag asked for. */
  readonly onRefused: (flag: string, error: string) => void;
  readonly onAgentExited: (message: WireMessage) => void;
  /** Whatever else the agent says. */
  readonly onMessage: (message: WireMessage) => void;
}

type Members = Readonly<Record<string, unknown>>;

/** Makes what stands between them: it adds what the command line said, and hides what the host did not ask for. */
export function createConversation(options: ConversationOptions): Conversation {
  const { travelling, turns } = options;
  /** Prompts whose ids are not their host's: what becomes of those it did not ask. */
  const named = new Set<unknown>();
  /** The flags that are not confirmed yet, by the ids of their requests. */
  const asked = new Map<unknown, string>();
  let hasBegun = false;

  function begin(): readonly Incoming[] {
    hasBegun = true;
    return travelling.requests.map(({ flag, request }) => {
      const request_id = `sjp-shim-${crypto.randomUUID()}`;
      asked.set(request_id, flag);
      return incomingOf({ type: 'control_request', request_id, request });
    });
  }

  function isHidden(message: WireMessage, source: string | undefined): boolean {
    const { type, subtype, status } = message;
    if (type === 'stream_event' || (subtype === 'status' && status === 'requesting')) {
      return !options.includePartialMessages;
    }
    if (type === 'command_lifecycle') return named.has(message['command_uuid']);
    // What others have said to the agent.
    if (type === 'user' && source !== undefined && source !== 'worker') return !options.replayUserMessages;
    return subtype === 'session_state_changed' && !options.tellsState;
  }

  /** By its id a prompt is known until its turn is over. */
  function withUuid(message: WireMessage): WireMessage {
    if (typeof message['uuid'] === 'string') return message;
    const uuid = crypto.randomUUID();
    named.add(uuid);
    return { ...message, uuid };
  }

  return {
    fromHost(item) {
      if (item.kind !== 'message') return [item];
      const { message, reason } = item.read();
      if (message === undefined) {
        options.onMalformed(String(reason));
        return [];
      }
      options.onSpoken();
      const request = membersOf(message['request']);
      if (message.type === 'control_request' && request['subtype'] === 'initialize') {
        turns.said(message);
        const merged = incomingOf({ ...message, request: { ...travelling.initialize, ...request } });
        return hasBegun ? [merged] : [merged, ...begin()];
      }
      const ahead = hasBegun ? [] : begin();
      const identified = message.type === 'user' ? withUuid(message) : message;
      turns.said(identified);
      return [...ahead, identified === message ? item : incomingOf(identified)];
    },
    fromAgent(item) {
      if (item.kind !== 'message') return [item];
      const { message } = item.read();
      if (message === undefined) return [item];
      if (message.type === 'control_response') {
        const { request_id: id, error } = membersOf(message['response']);
        const flag = asked.get(id);
        if (asked.delete(id)) {
          if (error !== undefined) options.onRefused(String(flag), textOf(error));
          return [];
        }
      }
      if (message.type === 'system' && message['subtype'] === 'agent_exited') {
        options.onAgentExited(message);
        return [];
      }
      turns.heard(message);
      options.onMessage(message);
      if (message.type === 'control_request' && !options.hears(membersOf(message['request']))) {
        options.answer(refusalOf(message));
        return [];
      }
      return isHidden(message, item.source) ? [] : [item];
    },
  };
}

/** What an agent does by itself where nobody can be asked: a permission is denied, everything else fails. */
function refusalOf({ request_id, request }: WireMessage): WireMessage {
  const isPermission = membersOf(request)['subtype'] === 'can_use_tool';
  const response = isPermission
    ? { subtype: 'success', request_id, response: { behavior: 'deny', message: 'Nobody can be asked for it.' } }
    : { subtype: 'error', request_id, error: 'The host has ended its input' };
  return { type: 'control_response', response };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
