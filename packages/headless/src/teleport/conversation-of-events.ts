import type { WireMessage } from '@proto/core/framing';
import { uuidOf } from '../sessions/transcript-entry.ts';

export interface LoggedEvent {
  readonly source?: unknown;
  readonly payload?: unknown;
}

/** A conversation that was rebuilt from a log. */
export interface LoggedConversation {
  /** The last id that the agent gave to the conversation. */
  readonly sessionId: string | undefined;
  readonly messages: readonly WireMessage[];
  /** The number of prompts whose turn has not begun. */
  readonly waiting: number;
}

/**
 * Places a prompt where its turn began, not where it was sent, because a prompt that was sent during another turn is in the middle of that turn in
 * the log.
 */
export class EventConversation {
  #messages: WireMessage[] = [];
  #sessionId: string | undefined;
  readonly #prompts = new Map<string, WireMessage>();
  /** The prompts whose turn has not begun yet, in order. */
  readonly #waiting = new Set<string>();
  readonly #begun = new Set<string>();
  /** Whether the agent reports which prompts it starts. */
  #reportsStarts = false;

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
        // If an agent does not report which prompts it starts, all waiting prompts are considered started.
        if (message['subtype'] === 'init' && !this.#reportsStarts) this.#beginAll();
    }
  }

  /** Call this method if the server has deleted the beginning of the log. */
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
    this.#reportsStarts = true;
    if (state === 'started') return this.#begin(uuid);
    if (state === 'cancelled' || state === 'discarded' || state === 'refused') this.#waiting.delete(uuid);
  }

  #beginAll(): void {
    for (const uuid of this.#waiting) this.#begin(uuid);
  }

  /** If the turn begins a second time, because the agent process crashed, the messages of the first attempt are removed. */
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
