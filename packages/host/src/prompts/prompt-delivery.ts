import type { WireMessage } from '@proto/core/framing';
import { callBack, RecentIds } from '@proto/core/internal';
import { DEFAULT_MAX_FOLLOWED_PROMPTS } from '../state/session-tracker.ts';

/**
 * The state of a prompt.
 * - `held`: the prompt waits for the handshake
 * - `accepted`: the prompt is queued, in order
 * - `delivered`: the prompt has reached the agent, or the server in front of the agent
 * - `started`: the turn of the prompt is running
 * - `done`: the turn is over
 * - `cancelled`: the prompt was cancelled or refused, or its turn was interrupted
 * - `lost`: the session ended before the turn was over, or the prompt could not be sent
 */
export type PromptState = 'held' | 'accepted' | 'delivered' | 'started' | PromptOutcome;

/** The final state of a prompt. */
export type PromptOutcome = 'done' | 'cancelled' | 'lost';

/** A prompt that was given to a session, and its state. */
export interface SentPrompt {
  /** The `uuid` of the user message: given by the caller of `prompt`, or a new UUID. The agent runs a prompt with the same `uuid` only once. */
  readonly uuid: string;
  /** The current state of the prompt. */
  readonly state: PromptState;
  /**
   * Fulfils when the prompt is queued and the queue has room for more. Rejects if the prompt cannot be sent, but you need not handle the rejection.
   */
  readonly accepted: Promise<void>;
  /** Fulfils with the final state of the prompt. Never rejects. */
  readonly outcome: Promise<PromptOutcome>;
}

const ORDER: readonly PromptState[] = ['held', 'accepted', 'delivered', 'started'];
const BY_LIFECYCLE: Readonly<Record<string, PromptState>> = {
  queued: 'delivered',
  started: 'started',
  completed: 'done',
  cancelled: 'cancelled',
  discarded: 'cancelled',
  refused: 'cancelled',
};
// A worker may report a prompt as processed as soon as it has received the prompt. Only the result proves that the turn is over.
const BY_REPORT: Readonly<Record<string, PromptState>> = {
  received: 'delivered',
  processing: 'started',
  processed: 'started',
};

interface Open {
  state: PromptState;
  /** How often a prompt with this id was sent. The agent runs the prompt only once. */
  times: number;
  readonly outcome: Promise<PromptOutcome>;
  settle(outcome: PromptOutcome): void;
}

/** The callbacks for the states of prompts. */
export interface PromptDeliveryOptions {
  /** Called once for each state that a prompt reaches, in order. */
  readonly onPrompt?: (uuid: string, state: PromptState) => void;
}

/** Each state of a prompt is reported once, and an earlier state is never reported after a later state. */
export class PromptDeliveries {
  readonly #options: PromptDeliveryOptions;
  readonly #open = new Map<string, Open>();
  /** If a prompt that was cancelled after the agent received it is sent again, its outcome is `cancelled` at once. */
  #cancelled: RecentIds | undefined;

  constructor(options: PromptDeliveryOptions) {
    this.#options = options;
  }

  /**
   * The prompt is accepted when `accepted` fulfils, and lost when `accepted` rejects. If a prompt with this id is already open, the two prompts have
   * the same outcome. If `isOver` is `true`, the prompt keeps its earlier outcome, because the agent sends nothing for a prompt that is over.
   */
  add(uuid: string, accepted: Promise<void>, isOver = false): SentPrompt {
    const open = this.#open.get(uuid) ?? createOpen();
    open.times++;
    if (isOver) {
      open.state = this.#cancelled?.has(uuid) ? 'cancelled' : 'done';
      open.settle(open.state);
      accepted.catch(() => {});
    } else {
      this.#open.set(uuid, open);
      accepted.then(
        () => this.advance(uuid, 'accepted'),
        () => {
          if (--open.times === 0) this.advance(uuid, 'lost');
        },
      );
    }
    return {
      uuid,
      accepted,
      outcome: open.outcome,
      get state() {
        return open.state;
      },
    };
  }

  /**
   * Any earlier states that were not reported are reported first. A call with an earlier state changes nothing, nor does any call after the prompt
   * has ended.
   */
  advance(uuid: string, state: PromptState): void {
    const open = this.#open.get(uuid);
    if (open === undefined) return;
    const to = state === 'done' ? ORDER.length : ORDER.indexOf(state) + 1;
    for (const passed of ORDER.slice(ORDER.indexOf(open.state) + 1, to)) {
      open.state = passed;
      this.#report(uuid, passed);
    }
    if (state !== 'done' && state !== 'cancelled' && state !== 'lost') return;
    this.#open.delete(uuid);
    open.state = state;
    open.settle(state);
    this.#report(uuid, state);
  }

  /** `ended` lists the prompts whose turns ended with this message. */
  onMessage(message: WireMessage, ended: readonly string[], isInterrupted: boolean): void {
    if (this.#open.size === 0) return;
    const {
      type,
      uuid,
      isReplay,
      command_uuid: command,
      state,
      user_message_uuid: one,
      user_message_uuids: all,
    } = message;
    if (type === 'command_lifecycle') {
      const next = Object.hasOwn(BY_LIFECYCLE, String(state)) ? BY_LIFECYCLE[String(state)] : undefined;
      if (next !== undefined) this.advance(String(command), next);
      if (next === 'cancelled' && state !== 'refused') this.#cancel(String(command));
    } else if (type === 'user' && isReplay === true) this.advance(String(uuid), 'delivered');
    else {
      for (const started of Array.isArray(all) ? all : [one]) this.advance(String(started), 'started');
    }
    for (const prompt of ended) {
      this.advance(prompt, isInterrupted ? 'cancelled' : 'done');
      if (type === 'result' && isInterrupted) this.#cancel(prompt);
    }
  }

  /** A transport or its server reports the state, with or without the prefix `DELIVERY_STATUS_`. */
  reported(uuid: string, status: string): void {
    const name = status.toLowerCase().replace(/^delivery_status_/, '');
    if (Object.hasOwn(BY_REPORT, name)) this.advance(uuid, BY_REPORT[name] as PromptState);
  }

  /** No more messages can arrive, so all open prompts end. A prompt that was not sent is always `lost`. */
  end(outcome: PromptOutcome): void {
    for (const [uuid, { state }] of this.#open) this.advance(uuid, state === 'held' ? 'lost' : outcome);
  }

  #cancel(uuid: string): void {
    this.#cancelled ??= new RecentIds(DEFAULT_MAX_FOLLOWED_PROMPTS);
    this.#cancelled.add(uuid);
  }

  #report(uuid: string, state: PromptState): void {
    callBack(() => this.#options.onPrompt?.(uuid, state));
  }
}

function createOpen(): Open {
  let settle: (outcome: PromptOutcome) => void = () => {};
  const outcome = new Promise<PromptOutcome>((resolve) => {
    settle = resolve;
  });
  return { state: 'held', times: 0, outcome, settle };
}
