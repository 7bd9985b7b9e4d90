import type { WireMessage } from '@proto/core/framing';
import type { Incoming, IncomingMessage } from '@proto/core/transport';
import { type IncomingMalformed, incomingOf } from '@proto/core/internal';
import type { OwnTurns } from '@proto/remote';
import type { ForwardedOptions } from './forwarded-options.ts';
import type { PromptEchoes } from './prompt-echoes.ts';
import { readHostLine } from './host-line.ts';

/** The options from a host's command line, and the callbacks of a conversation. */
export interface ConversationOptions {
  readonly forwarded: ForwardedOptions;
  readonly turns: OwnTurns;
  readonly echoes: PromptEchoes;
  readonly includePartialMessages: boolean;
  readonly replayUserMessages: boolean;
  /** Whether the host gets messages about the state of the session. */
  readonly sendsState: boolean;
  /** Returns whether the host can answer a request. The shim refuses all other requests. */
  readonly canAnswer: (request: Members) => boolean;
  /** Sends the shim's own answer to the agent. */
  readonly answer: (response: WireMessage) => void;
  /** Called for each message from the host. */
  readonly onSpoken: () => void;
  /** Called for a line from the host that makes an agent exit, with the text that the agent writes to stderr. Later lines are ignored. */
  readonly onBadLine: (problem: string) => void;
  /** Called when the agent has refused what a flag requested. */
  readonly onRefused: (flag: string, error: string) => void;
  /** Called with the message that reports the end of the agent. */
  readonly onAgentExited: (message: WireMessage) => void;
  /** Called with every other message from the agent. */
  readonly onMessage: (message: WireMessage) => void;
}

type Members = Readonly<Record<string, unknown>>;

/** Translates between a host and a remote agent: adds what the command line requested, and hides what the host did not request. */
export class Conversation {
  readonly #options: ConversationOptions;
  /** The ids that were given to prompts without an id. News with these ids is not sent to the host. */
  readonly #ownIds = new Set<unknown>();
  /** The flags that the agent has not confirmed yet, by request id. */
  readonly #flags = new Map<unknown, string>();
  /** The requests that the host has not answered yet, by id. */
  readonly #open = new Map<unknown, WireMessage>();
  #hasBegun = false;
  #isOver = false;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** Returns what to send to the agent for an item from the host. */
  fromHost(item: Incoming): readonly Incoming[] {
    if (item.kind === 'link' || item.kind === 'notice') return [item];
    const { turns, forwarded } = this.#options;
    const message = this.#readFromHost(item);
    if (message === undefined) return [];
    this.#options.onSpoken();
    this.#note(message);
    const request = membersOf(message['request']);
    if (message.type === 'control_request' && request['subtype'] === 'initialize') {
      turns.sent(message);
      const merged = incomingOf({ ...message, request: { ...forwarded.initialize, ...request } });
      return [merged, ...this.#beginOnce()];
    }
    const requests = this.#beginOnce();
    const sent = turns.sent(message);
    if (sent === message) return [...requests, item];
    this.#ownIds.add(sent['uuid']);
    return [...requests, incomingOf(sent)];
  }

  /** Returns what to send to the host for an item from the agent. */
  fromAgent(item: Incoming): readonly Incoming[] {
    if (item.kind !== 'message') return [item];
    const { message } = item.read();
    if (message === undefined) return [item];
    if (this.#isForUs(message)) return [];
    const { turns, echoes } = this.#options;
    turns.received(message);
    this.#options.onMessage(message);
    if (!this.#isForHost(message)) return [];
    const before = echoes.before(message).map((echo) => incomingOf(echo));
    return this.#isHidden(message, item.source) ? before : [...before, asShownToHost(message, item)];
  }

  /** Refuses the open requests on behalf of a host that will send no more messages. */
  hostEnded(): void {
    for (const request of this.#open.values()) this.#options.answer(refusalOf(request));
    this.#open.clear();
  }

  /** Reads a message from the host. Returns undefined for an ignored line, and after a line that makes an agent exit. */
  #readFromHost(item: IncomingMessage | IncomingMalformed): WireMessage | undefined {
    if (this.#isOver) return undefined;
    const { message, problem } = readHostLine(item);
    if (problem === undefined) return message;
    this.#isOver = true;
    this.#options.onBadLine(problem);
    return undefined;
  }

  #beginOnce(): readonly Incoming[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return this.#options.forwarded.requests.map(({ flag, request }) => {
      const request_id = `sjp-shim-${crypto.randomUUID()}`;
      this.#flags.set(request_id, flag);
      return incomingOf({ type: 'control_request', request_id, request });
    });
  }

  /** Records a prompt or an answer for the echoes. Prompts without an id are not echoed. */
  #note(message: WireMessage): void {
    const { request_id, requestId, subtype } = membersOf(message['response']);
    const isAnswer = message.type === 'control_response' && this.#open.delete(request_id ?? requestId);
    const isPrompt = message.type === 'user' && typeof message['uuid'] === 'string';
    if (isPrompt || (isAnswer && subtype === 'success')) this.#options.echoes.said(message);
  }

  /** Whether a message is for the shim itself: an answer to the shim's own request, or the news that the agent has ended. */
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

  /** Whether a message is for the host. Remembers the requests for the host, and refuses the requests that the host cannot answer. */
  #isForHost(message: WireMessage): boolean {
    const { request_id: id } = message;
    if (message.type === 'control_cancel_request') this.#open.delete(id);
    if (message.type !== 'control_request') return true;
    const canAnswer = this.#options.canAnswer(membersOf(message['request']));
    if (canAnswer) this.#open.set(id, message);
    else this.#options.answer(refusalOf(message));
    return canAnswer;
  }

  #isHidden(message: WireMessage, source: string | undefined): boolean {
    const { type, subtype, status } = message;
    const { includePartialMessages, replayUserMessages, sendsState, echoes } = this.#options;
    if (type === 'stream_event' || (subtype === 'status' && status === 'requesting')) return !includePartialMessages;
    if (type === 'command_lifecycle') return this.#ownIds.has(message['command_uuid']);
    if (isOfOtherClient(type, source)) return !replayUserMessages;
    return echoes.isEcho(message) || (subtype === 'session_state_changed' && !sendsState);
  }
}

function isOfOtherClient(type: string, source: string | undefined): boolean {
  return type === 'user' && source !== undefined && source !== 'worker';
}

function asShownToHost(message: WireMessage, item: IncomingMessage): IncomingMessage {
  return isOfOtherClient(message.type, item.source) ? incomingOf({ ...message, isReplay: true }, item) : item;
}

/** Creates the answer that takes effect if no user can answer: a permission is denied, and any other request fails. */
function refusalOf({ request_id, request }: WireMessage): WireMessage {
  const isPermission = membersOf(request)['subtype'] === 'can_use_tool';
  const response = isPermission
    ? {
        subtype: 'success',
        request_id,
        response: { behavior: 'deny', message: 'No user is available to approve this.' },
      }
    : { subtype: 'error', request_id, error: 'The host has ended its input' };
  return { type: 'control_response', response };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
