import type { WireMessage } from '@proto/core';
import type { Incoming, IncomingMalformed, IncomingMessage } from '@proto/core/transport';
import type { OwnTurns } from '@proto/remote';
import { incomingOf } from '@proto/core/internal';
import type { PromptEchoes } from './prompt-echoes.ts';
import { readLine } from './read-line.ts';
import type { Travelling } from './travelling.ts';

/** What a host has asked for, and who hears what comes of it. */
export interface ConversationOptions {
  readonly travelling: Travelling;
  readonly turns: OwnTurns;
  readonly echoes: PromptEchoes;
  readonly includePartialMessages: boolean;
  readonly replayUserMessages: boolean;
  /** Whether the host hears that the session is idle. */
  readonly tellsState: boolean;
  /** Whether the host takes a request: one it cannot answer is answered for it. */
  readonly hears: (request: Members) => boolean;
  readonly answer: (response: WireMessage) => void;
  /** The host has said something. */
  readonly onSpoken: () => void;
  /** A line of the host at which an agent ends, and what that writes on stderr. What follows is not heard. */
  readonly onBadLine: (problem: string) => void;
  /** The agent will not do what a flag asked for. */
  readonly onRefused: (flag: string, error: string) => void;
  readonly onAgentExited: (message: WireMessage) => void;
  /** Whatever else the agent says. */
  readonly onMessage: (message: WireMessage) => void;
}

type Members = Readonly<Record<string, unknown>>;

/** Stands between them: it adds what the command line said, and hides what the host did not ask for. */
export class Conversation {
  readonly #options: ConversationOptions;
  /** Prompts whose ids are not their host's: what becomes of those it did not ask. */
  readonly #named = new Set<unknown>();
  /** The flags that are not confirmed yet, by the ids of their requests. */
  readonly #flags = new Map<unknown, string>();
  /** What the host was asked and has not answered, by the ids of the requests. */
  readonly #open = new Map<unknown, WireMessage>();
  #hasBegun = false;
  #isOver = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** What the agent is to hear of what the host says. */
  fromHost(item: Incoming): readonly Incoming[] {
    if (item.kind === 'link' || item.kind === 'notice') return [item];
    const { turns, travelling, onSpoken } = this.#options;
    const message = this.#readFromHost(item);
    if (message === undefined) return [];
    onSpoken();
    this.#note(message);
    const request = membersOf(message['request']);
    if (message.type === 'control_request' && request['subtype'] === 'initialize') {
      turns.said(message);
      const merged = incomingOf({ ...message, request: { ...travelling.initialize, ...request } });
      return [merged, ...this.#begin()];
    }
    const ahead = this.#begin();
    const identified = message.type === 'user' ? this.#withUuid(message) : message;
    turns.said(identified);
    return [...ahead, identified === message ? item : incomingOf(identified)];
  }

  /** What the host is to hear of what the agent says. */
  fromAgent(item: Incoming): readonly Incoming[] {
    if (item.kind !== 'message') return [item];
    const { message } = item.read();
    if (message === undefined) return [item];
    if (this.#isForUs(message)) return [];
    const { turns, echoes, onMessage } = this.#options;
    turns.heard(message);
    onMessage(message);
    if (!this.#isForHost(message)) return [];
    const ahead = echoes.ahead(message).map((echo) => incomingOf(echo));
    return this.#isHidden(message, item.source) ? ahead : [...ahead, shown(message, item)];
  }

  /** The host says no more: what it was asked and has not answered is answered for it. */
  hostEnded(): void {
    for (const request of this.#open.values()) this.#options.answer(refusalOf(request));
    this.#open.clear();
  }

  /** A message of the host, up to the line at which an agent would end. */
  #readFromHost(item: IncomingMessage | IncomingMalformed): WireMessage | undefined {
    if (this.#isOver) return undefined;
    const { message, problem } = readLine(item);
    if (problem === undefined) return message;
    this.#isOver = true;
    this.#options.onBadLine(problem);
    return undefined;
  }

  /** What the command line asks for, once. */
  #begin(): readonly Incoming[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return this.#options.travelling.requests.map(({ flag, request }) => {
      const request_id = `sjp-shim-${crypto.randomUUID()}`;
      this.#flags.set(request_id, flag);
      return incomingOf({ type: 'control_request', request_id, request });
    });
  }

  /** By its id a prompt is known until its turn is over. */
  #withUuid(message: WireMessage): WireMessage {
    if (typeof message['uuid'] === 'string') return message;
    const uuid = crypto.randomUUID();
    this.#named.add(uuid);
    return { ...message, uuid };
  }

  /** Of what the host says, its answers and the prompts that have an id of their own are echoed. */
  #note(message: WireMessage): void {
    const { request_id, requestId, subtype } = membersOf(message['response']);
    const isAnswer = message.type === 'control_response' && this.#open.delete(request_id ?? requestId);
    const isPrompt = message.type === 'user' && typeof message['uuid'] === 'string';
    if (isPrompt || (isAnswer && subtype === 'success')) this.#options.echoes.said(message);
  }

  /** Whether it is what the shim has asked, and not its host, or of how the agent lives. */
  #isForUs(message: WireMessage): boolean {
    if (message.type === 'system' && message['subtype'] === 'agent_exited') {
      this.#options.onAgentExited(message);
      return true;
    }
    if (message.type !== 'control_response') return false;
    const { request_id: id, error } = membersOf(message['response']);
    const flag = this.#flags.get(id);
    if (!this.#flags.delete(id)) return false;
    if (error !== undefined) this.#options.onRefused(String(flag), textOf(error));
    return true;
  }

  /** Keeps what the host is asked. False for what it cannot be asked, which is answered here. */
  #isForHost(message: WireMessage): boolean {
    const { request_id: id } = message;
    if (message.type === 'control_cancel_request') this.#open.delete(id);
    if (message.type !== 'control_request') return true;
    const isHeard = this.#options.hears(membersOf(message['request']));
    if (isHeard) this.#open.set(id, message);
    else this.#options.answer(refusalOf(message));
    return isHeard;
  }

  #isHidden(message: WireMessage, source: string | undefined): boolean {
    const { type, subtype, status } = message;
    const { includePartialMessages, replayUserMessages, tellsState, echoes } = this.#options;
    if (type === 'stream_event' || (subtype === 'status' && status === 'requesting')) return !includePartialMessages;
    if (type === 'command_lifecycle') return this.#named.has(message['command_uuid']);
    if (isOfOthers(type, source)) return !replayUserMessages;
    return echoes.isEcho(message) || (subtype === 'session_state_changed' && !tellsState);
  }
}

/** Whether it is what another client has said to the agent. */
function isOfOthers(type: string, source: string | undefined): boolean {
  return type === 'user' && source !== undefined && source !== 'worker';
}

/** A message as a host reads it: what others have said comes as the echo of it. */
function shown(message: WireMessage, item: IncomingMessage): IncomingMessage {
  return isOfOthers(message.type, item.source) ? incomingOf({ ...message, isReplay: true }, item) : item;
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
