import type { WireMessage } from '@proto/core/framing';
import { callBack, RecentIds } from '@proto/core/internal';
import { DEFAULT_MAX_FOLLOWED_PROMPTS } from '../state/session-tracker.ts';

/**
 * How far a prompt got.
 * - `held`: it waits for what the handshake has to say · `accepted`: it is queued, in order
 * - `delivered`: the agent has it, or the server in front of it · `started`: its turn runs
 * - `done`: its turn is over · `cancelled`: it was taken back or refused, or its turn interrupted · `lost`: the session ended before
 */
export type PromptState = 'held' | 'accepted' | 'delivered' | 'started' | PromptOutcome;

/** What became of a prompt. */
export type PromptOutcome = 'done' | 'cancelled' | 'lost';

/** A prompt that was given to a session, and what becomes of it. */
export interface SentPrompt {
  readonly uuid: string;
  /** How far the prompt has come by now. */
  readonly state: PromptState;
  /** Fulfils when the prompt is queued and the queue has room for more. Rejects when the prompt cannot be sent; nobody has to handle that. */
  readonly accepted: Promise<void>;
  /** What became of the prompt at last. Never rejects. */
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
// A worker may report what it has only taken as processed: how a turn ended is told by its result.
const BY_REPORT: Readonly<Record<string, PromptState>> = {
  received: 'delivered',
  processing: 'started',
  processed: 'started',
};

interface Open {
  state: PromptState;
  /** How often it was said: it is one prompt all the same, which the agent runs once. */
  times: number;
  readonly outcome: Promise<PromptOutcome>;
  settle(outcome: PromptOutcome): void;
}

/** Who hears how far prompts are. */
export interface PromptDeliveryOptions {
  /** Hears of each state that a prompt comes to, once and in order. */
  readonly onPrompt?: (uuid: string, state: PromptState) => void;
}

/** The prompts of one session and how far they are. No state of one is told twice, and none that lies behind. */
export class PromptDeliveries {
  readonly #options: PromptDeliveryOptions;
  readonly #open = new Map<string, Open>();
  /** Prompts that were taken and then taken back or interrupted: what one is that is said again. */
  #cancelled: RecentIds | undefined;

  constructor(options: PromptDeliveryOptions) {
    this.#options = options;
  }

  /**
   * A prompt is being sent: it is accepted when `accepted` fulfils, and lost when that rejects. One that is open already shares what becomes of
   * it; of one that is over, `isOver`, nothing will come, so it is at once what it was.
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

  /** It is that far. What it must have been before it has been as well; what lies behind, or comes after its end, changes nothing. */
  advance(uuid: string, state: PromptState): void {
    const open = this.#open.get(uuid);
    if (open === undefined) return;
    const to = state === 'done' ? ORDER.length : ORDER.indexOf(state) + 1;
    for (const passed of ORDER.slice(ORDER.indexOf(open.state) + 1, to)) {
      open.state = passed;
      this.#tell(uuid, passed);
    }
    if (state !== 'done' && state !== 'cancelled' && state !== 'lost') return;
    this.#open.delete(uuid);
    open.state = state;
    open.settle(state);
    this.#tell(uuid, state);
  }

  /** A message came, and with it the end of the turns of some prompts. */
  heard(message: WireMessage, ended: readonly string[], isInterrupted: boolean): void {
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

  /** A transport or its server said how far it is; `DELIVERY_STATUS_` may stand before it. */
  reported(uuid: string, status: string): void {
    const name = status.toLowerCase().replace(/^delivery_status_/, '');
    if (Object.hasOwn(BY_REPORT, name)) this.advance(uuid, BY_REPORT[name] as PromptState);
  }

  /** Nothing more comes. A prompt that was never sent is lost in any case. */
  end(outcome: PromptOutcome): void {
    for (const [uuid, { state }] of this.#open) this.advance(uuid, state === 'held' ? 'lost' : outcome);
  }

  #cancel(uuid: string): void {
    this.#cancelled ??= new RecentIds(DEFAULT_MAX_FOLLOWED_PROMPTS);
    this.#cancelled.add(uuid);
  }

  #tell(uuid: string, state: PromptState): void {
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
