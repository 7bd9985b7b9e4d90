import type { WireMessage } from '@proto/core/framing';

// A prompt whose id is forgotten is treated as another client's prompt. No known host has this many open prompts.
const MAX_REMEMBERED = 10_000;

/** Whether a host receives echoes of the prompts that it sent, and for which conversation. */
export interface PromptEchoesOptions {
  /** Whether the host has asked for echoes, with `--replay-user-messages`. */
  readonly isOn: boolean;
  /** Returns the agent's id of the conversation; empty until the agent has named it. */
  readonly conversation: () => string;
}

/**
 * Sends a host the echoes of its prompts after the agent has accepted the prompts. The shim does this because a remote agent echoes prompts either to
 * no viewer or to all viewers.
 */
export class PromptEchoes {
  readonly #options: PromptEchoesOptions;
  #unsentIds: string[] = [];
  /** The echoes of messages that the agent may not have accepted yet, by id. */
  readonly #open = new Map<string, WireMessage>();
  readonly #own = new Set<string>();

  constructor(options: PromptEchoesOptions) {
    this.#options = options;
  }

  /** Records a prompt with an id that the host chose, or an answer that the agent was waiting for. */
  said(message: WireMessage): void {
    const { uuid, type } = message;
    const id = type === 'user' ? String(uuid) : `answer ${Object(message['response']).request_id}`;
    if (type === 'user') this.#remember(id);
    if (!this.#options.isOn) return;
    this.#unsentIds.push(id);
    this.#open.set(id, type === 'user' ? echoOf(message) : message);
  }

  /**
   * Marks the messages recorded so far as being sent. When the agent has accepted these messages, call the returned function, which returns their
   * echoes.
   */
  sending(): () => readonly WireMessage[] {
    const ids = this.#unsentIds;
    this.#unsentIds = [];
    return () => this.#take(ids);
  }

  /**
   * Returns the echoes that must precede a message from the agent: the echoes of the prompts that, according to this message, the agent has accepted.
   */
  before(message: WireMessage): readonly WireMessage[] {
    const { command_uuid: one, user_message_uuid: answered, user_message_uuids: all } = message;
    const ids =
      message.type === 'command_lifecycle' ? [one] : message.type === 'result' ? [answered, ...listOf(all)] : [];
    if (message['state'] === 'refused') for (const id of ids) this.#open.delete(String(id));
    return this.#take(ids.map(String));
  }

  /** Whether a message is the agent's own echo of a prompt of this host. The host has already received an echo, or did not request one. */
  isEcho({ type, uuid, isReplay }: WireMessage): boolean {
    return type === 'user' && isReplay === true && this.#own.has(String(uuid));
  }

  #take(ids: readonly string[]): readonly WireMessage[] {
    return ids.flatMap((id) => {
      const echo = this.#open.get(id);
      this.#open.delete(id);
      if (echo === undefined) return [];
      return [echo.type === 'user' ? { ...echo, session_id: this.#options.conversation() } : echo];
    });
  }

  #remember(id: string): void {
    this.#own.add(id);
    if (this.#own.size > MAX_REMEMBERED) this.#own.delete(this.#own.values().next().value as string);
  }
}

function echoOf({ message, uuid }: WireMessage): WireMessage {
  return { type: 'user', message, parent_tool_use_id: null, uuid, isReplay: true };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
