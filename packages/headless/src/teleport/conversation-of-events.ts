import type { WireMessage } from '@proto/core/framing';
import { uuidOf } from '../sessions/transcript-entry.ts';

/** An event of a session's log. */
export interface LoggedEvent {
  readonly source?: unknown;
  readonly payload?: unknown;
}

/** A conversation as a log tells it. */
export interface LoggedConversation {
  /** Under which id the agent spoke last. */
  readonly sessionId: string | undefined;
  readonly messages: readonly WireMessage[];
  /** How many prompts no turn has taken up. */
  readonly waiting: number;
}

/**
 * Rebuilds a conversation from all that was said in a session. A prompt stands where its turn began, not where it was sent: the log has
 * what clients send while a turn runs in the middle of that turn.
 */
export class EventConversation {
  #messages: WireMessage[] = [];
  #sessionId: string | undefined;
  readonly #prompts = new Map<string, WireMessage>();
  /** Those that no turn has taken up yet, in order. */
  readonly #waiting = new Set<string>();
  readonly #begun = new Set<string>();
  /** Whether the agent says itself which prompts it takes up. */
  #tells = false;

  get result(): LoggedConversation {
    return { sessionId: this.#sessionId, messages: this.#messages, waiting: this.#waiting.size };
  }

  add({ source, payload }: LoggedEvent): void {
    const message = Object(payload) as WireMessage;
    const uuid = uuidOf(message);
    if (source === 'client') {
      if (message.type === 'user' && uuid !== null) this.#wait(uuid, message);
      return;
    }
    const { session_id: sessionId } = message;
    if (typeof sessionId === 'string') this.#sessionId = sessionId;
    switch (message.type) {
      case 'user':
      case 'assistant':
        if (message['isReplay'] === true) {
          if (this.#waiting.has(String(uuid))) this.#begin(String(uuid));
        } else if (typeof message['parent_tool_use_id'] !== 'string' && uuid !== null) this.#messages.push(message);
        return;
      case 'command_lifecycle':
        return this.#follow(String(message['command_uuid']), message['state']);
      case 'conversation_reset':
        this.#messages = [];
        return;
      case 'system':
        // An agent that does not say which prompts it takes up takes up all that wait.
        if (message['subtype'] === 'init' && !this.#tells) this.#beginAll();
    }
  }

  /** The server does not have the beginning any more: what is left begins with a prompt. */
  cutStart(): void {
    const first = this.#messages.findIndex((message) => this.#prompts.has(uuidOf(message) ?? ''));
    this.#messages = first < 0 ? [] : this.#messages.slice(first);
  }

  #wait(uuid: string, message: WireMessage): void {
    if (this.#prompts.has(uuid)) return;
    this.#prompts.set(uuid, message);
    this.#waiting.add(uuid);
  }

  #follow(uuid: string, state: unknown): void {
    this.#tells = true;
    if (state === 'started') return this.#begin(uuid);
    if (state === 'cancelled' || state === 'discarded' || state === 'refused') this.#waiting.delete(uuid);
  }

  #beginAll(): void {
    for (const uuid of this.#waiting) this.#begin(uuid);
  }

  /** One that begins again, because its turn was cut with its process, takes back what came of it. */
  #begin(uuid: string): void {
    const message = this.#prompts.get(uuid);
    if (message === undefined) return;
    if (this.#begun.has(uuid)) {
      const before = this.#messages.findIndex((said) => uuidOf(said) === uuid);
      if (before >= 0) this.#messages.splice(before);
    }
    this.#begun.add(uuid);
    this.#waiting.delete(uuid);
    this.#messages.push(message);
  }
}
