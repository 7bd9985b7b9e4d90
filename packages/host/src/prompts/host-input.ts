import { Uuids } from '@proto/core/internal';
import type { PromptContent } from '@proto/core/messages';
import { TransportError } from '@proto/core/transport';
import type { Handshake } from '../handshake/handshake.ts';
import type { HostWire } from '../host-wire.ts';
import type { FollowedSession } from '../state/session-follower.ts';
import { isSettled } from '../state/session-tracker.ts';
import type { PromptDeliveries, SentPrompt } from './prompt-delivery.ts';

export interface InputState {
  /** True if no more prompts will be sent. */
  readonly promptsEnded: boolean;
  /** How many control requests, from both sides, are unanswered. */
  readonly openRequests: number;
  /** True if the agent has nothing to do, because every prompt has its result. */
  readonly isIdle: boolean;
  /** A new turn begins when a background task ends. */
  readonly backgroundTasks: number;
}

/**
 * In milliseconds, after every prompt has its result. After this time the agent counts as idle, even if it has not reported that it is idle, or has
 * not begun the turn that reports a task's end.
 */
export const MAX_SILENCE_BEFORE_IDLE_MS = 10_000;

/**
 * After the end of the input, neither side can send requests or answers, and no turn can be interrupted. The input must therefore stay open until the
 * agent has finished all its work.
 */
export function mayEndInput(state: InputState): boolean {
  const { promptsEnded, openRequests, isIdle, backgroundTasks } = state;
  return promptsEnded && openRequests === 0 && isIdle && backgroundTasks === 0;
}

export interface HostInputParts {
  readonly handshake: Handshake;
  readonly follower: FollowedSession;
  readonly deliveries: PromptDeliveries;
}

/** Sends prompts in order, and ends the agent's input as soon as it may end. */
export class HostInput {
  readonly #wire: HostWire;
  readonly #parts: HostInputParts;
  #uuids: Uuids | undefined;
  #waitingPrompts = 0;
  /** Set after the last prompt. Fulfils when the input has ended, or the session is over. */
  #ended: Promise<void> | undefined;
  #settle: () => void = nothing;
  #isEnding = false;
  #isOver = false;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(wire: HostWire, parts: HostInputParts) {
    this.#wire = wire;
    this.#parts = parts;
  }

  prompt(content: PromptContent, members: Readonly<Record<string, unknown>>): SentPrompt {
    const { follower, deliveries } = this.#parts;
    const { uuid = this.#createId() } = members as { readonly uuid?: string };
    return deliveries.add(uuid, this.#send(uuid, content, members), follower.isOver(uuid));
  }

  /** Fulfils when the input has ended, or the session is over. */
  end(): Promise<void> {
    this.#ended ??= new Promise((resolve) => {
      this.#settle = resolve;
    });
    if (this.#isOver) this.#settle();
    this.check();
    return this.#ended;
  }

  check(): void {
    // Checked only after the messages that arrived together with the change, because they may include a request.
    if (this.#ended !== undefined) queueMicrotask(() => this.#endIfDue());
  }

  /** Stops waiting for the end of the input, because the session is over. */
  abort(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    this.#settle();
  }

  #createId(): string {
    this.#uuids ??= new Uuids();
    return this.#uuids.next();
  }

  async #send(uuid: string, content: PromptContent, members: object): Promise<void> {
    if (this.#ended !== undefined)
      throw new TransportError(
        'closed',
        'a prompt was sent after endInput(): send all prompts before you call endInput()',
      );
    const { handshake, follower } = this.#parts;
    this.#waitingPrompts++;
    try {
      // If the handshake does not hold prompts back, the prompt is sent now.
      if (handshake.held !== undefined) await handshake.held;
      const written = this.#wire.session.emit({
        type: 'user',
        session_id: '',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        ...members,
        uuid,
      });
      follower.track({ prompt: uuid });
      await written.catch((error: unknown) => {
        follower.track({ unsent: uuid });
        throw error;
      });
    } finally {
      this.#waitingPrompts--;
      this.check();
    }
  }

  #endIfDue(): void {
    if (this.#isEnding || this.#isOver) return;
    clearTimeout(this.#silence);
    const { state } = this.#parts.follower;
    const now: InputState = {
      promptsEnded: this.#waitingPrompts === 0,
      openRequests: this.#wire.openRequests,
      isIdle: state.session === 'idle' || this.#parts.handshake.isMute,
      backgroundTasks: state.tasks.length,
    };
    if (mayEndInput(now)) this.#end();
    // Every arriving message restarts the wait.
    else if (mayEndInput({ ...now, isIdle: isSettled(state) })) {
      this.#silence = setTimeout(() => this.#end(), MAX_SILENCE_BEFORE_IDLE_MS);
    }
  }

  #end(): void {
    this.#isEnding = true;
    this.#wire.session.end().then(this.#settle, this.#settle);
  }
}

function nothing(): void {}
