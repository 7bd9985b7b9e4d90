import type { WireMessage } from '@proto/core';

// Later ones of the same ids count as those of somebody else. A host that has this many prompts open is not known.
const MAX_REMEMBERED = 10_000;

/** What echoes of a host's own prompts are made of. */
export interface PromptEchoesOptions {
  /** Whether the host has asked for them, with `--replay-user-messages`. */
  readonly isOn: boolean;
  /** The conversation as the agent names it; empty until it has. */
  readonly conversation: () => string;
}

/** The host's own prompts, which it hears again once they are taken: the agent that is elsewhere says them to nobody, or to all. */
export class PromptEchoes {
  readonly #options: PromptEchoesOptions;
  /** Said, and not handed over yet. */
  #said: string[] = [];
  /** By their ids, the echoes of what may not be taken yet. */
  readonly #open = new Map<string, WireMessage>();
  readonly #own = new Set<string>();

  constructor(options: PromptEchoesOptions) {
    this.#options = options;
  }

  /** The host says a prompt with an id of its own, or an answer that was waited for. */
  said(message: WireMessage): void {
    const { uuid, type } = message;
    const id = type === 'user' ? String(uuid) : `answer ${Object(message['response']).request_id}`;
    if (type === 'user') this.#remember(id);
    if (!this.#options.isOn) return;
    this.#said.push(id);
    this.#open.set(id, type === 'user' ? echoOf(message) : message);
  }

  /** What was said is handed over now. Gives what to call when it was taken: that gives the echoes. */
  sending(): () => readonly WireMessage[] {
    const ids = this.#said;
    this.#said = [];
    return () => this.#take(ids);
  }

  /** What the host hears ahead of a message: the echoes of prompts that it shows to be taken. */
  ahead(message: WireMessage): readonly WireMessage[] {
    const { command_uuid: one, user_message_uuid: answered, user_message_uuids: all } = message;
    const ids =
      message.type === 'command_lifecycle' ? [one] : message.type === 'result' ? [answered, ...listOf(all)] : [];
    if (message['state'] === 'refused') for (const id of ids) this.#open.delete(String(id));
    return this.#take(ids.map(String));
  }

  /** Whether a message is the agent's own echo of a prompt of this host, which has one already or has not asked for it. */
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
