import type { RunningTurn } from '../turns/running-turn.ts';
import { TurnQueue } from '../turns/turn-queue.ts';
import { textMember } from '../controls/control-members.ts';
import type { AgentWire } from '../agent-wire.ts';
import { createPromptIntake, type PromptIntake } from './prompt-intake.ts';
import { lengthOf, type Prompt } from './prompt.ts';

/** How many prompts of the host wait for their turns at once: 10 000. One more is refused. */
export const DEFAULT_MAX_QUEUED_PROMPTS = 10_000;
/** What they may have together, in UTF-16 units: 64 Mi. One that finds nothing waiting is always taken. */
export const DEFAULT_MAX_QUEUED_LENGTH = 64 * 1024 * 1024;

/** Runs one turn with prompts that waited together. Must not reject: a failure is told in the result of the turn. */
export type RunPrompts = (prompts: readonly Prompt[]) => Promise<void>;

/** Creates the queue of prompts of a session, and serves `interrupt` and `cancel_async_message`. */
export function installPrompts(wire: AgentWire): PromptQueue {
  const queue = new PromptQueue(createPromptIntake(wire));
  wire.serve({
    interrupt: ({ cancel_queued }) => queue.interrupt(cancel_queued === true),
    cancel_async_message(request) {
      const uuid = textMember(request, 'message_uuid');
      return { cancelled: queue.cancel((prompt) => prompt.uuid === uuid).length > 0, message_uuid: uuid };
    },
  });
  return queue;
}

/** The prompts that wait for their turns, in order, and the running turn. Every prompt waits, runs, joins a running turn or is cancelled. */
export class PromptQueue {
  readonly intake: PromptIntake;
  readonly #waiting = new TurnQueue<Prompt>({ run: (prompts) => this.#run(prompts), merges: isMergeable });
  #run: RunPrompts = async () => {};
  #running: RunningTurn | undefined;
  /** How long those are that wait. */
  readonly #lengths = new Map<Prompt, number>();
  #length = 0;
  #isLeaving = false;

  constructor(intake: PromptIntake) {
    this.intake = intake;
  }

  /** Whether nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#waiting.size === 0;
  }

  /** Sets the function that runs turns. Call it before the first prompt is taken. */
  runWith(run: RunPrompts): void {
    this.#run = run;
  }

  /** Sets the turn that an interrupt cuts from now on; undefined after its end. */
  setRunning(running: RunningTurn | undefined): void {
    this.#running = running;
  }

  /** Under which signal something is asked in the running turn, where one runs. */
  asking(signal: AbortSignal | undefined): AbortSignal | undefined {
    return this.#running?.asking(signal) ?? signal;
  }

  /** Takes a prompt, to run behind all that waits: `now` cuts the running turn for it, `first` has it run ahead of the others. */
  take(prompt: Prompt, place: 'now' | 'first' | 'last' = 'last'): void {
    if (this.#isLeaving) return this.intake.tell(prompt, 'cancelled');
    this.#lengths.set(prompt, lengthOf(prompt));
    this.#length += lengthOf(prompt);
    if (place === 'last') return this.#waiting.add(prompt);
    this.#waiting.addFirst(prompt);
    if (place === 'now' && this.#running?.prompts.includes(prompt) === false) this.#cut();
  }

  /** Why a prompt of the host cannot wait here; undefined where it can. */
  refusalOf(prompt: Pick<Prompt, 'content'>): string | undefined {
    const { size } = this.#waiting;
    const isTooLong = size > 0 && this.#length + lengthOf(prompt) > DEFAULT_MAX_QUEUED_LENGTH;
    if (size < DEFAULT_MAX_QUEUED_PROMPTS && !isTooLong) return undefined;
    const limits = `${DEFAULT_MAX_QUEUED_PROMPTS} prompts, ${DEFAULT_MAX_QUEUED_LENGTH} characters`;
    return `A prompt was refused: too many wait for their turns (limits: ${limits}). Send it again when some are done.`;
  }

  /** Takes the first prompt that may join a running turn out of the queue. */
  takeFirst(): Prompt | undefined {
    const prompt = this.#waiting.takeFirst(isMergeable);
    if (prompt !== undefined) this.dequeued([prompt]);
    return prompt;
  }

  /** Stops counting prompts that were taken out of the queue. */
  dequeued(prompts: readonly Prompt[]): void {
    for (const prompt of prompts) {
      this.#length -= this.#lengths.get(prompt) ?? 0;
      this.#lengths.delete(prompt);
    }
  }

  /** Interrupts the running turn; gives the receipt. */
  interrupt(cancelQueued: boolean): object {
    this.#cut();
    const cancelled = cancelQueued ? this.cancel(() => true) : [];
    const stillQueued = this.#waiting.waiting.flatMap(({ uuid }) => uuid ?? []);
    return {
      still_queued: stillQueued,
      ...(cancelQueued && { cancelled: cancelled.flatMap(({ uuid }) => uuid ?? []) }),
    };
  }

  /** Forgets what waits and matches. */
  cancel(matches: (prompt: Prompt) => boolean): readonly Prompt[] {
    const cancelled = this.#waiting.remove(matches);
    this.dequeued(cancelled);
    for (const prompt of cancelled) this.intake.tell(prompt, 'cancelled');
    return cancelled;
  }

  /** Interrupts all there is, and takes nothing more. */
  leave(): void {
    this.#isLeaving = true;
    this.interrupt(true);
  }

  /** The session has failed: what runs is cut. */
  abort(reason: unknown): void {
    this.#running?.abort(reason);
  }

  /** Fulfils when no turn runs or waits. */
  idle(): Promise<void> {
    return this.#waiting.idle();
  }

  #cut(): void {
    const running = this.#running;
    // Its open questions are taken back ahead of the receipt, as published agents do.
    running?.withdraw();
    // The receipt goes out ahead of all the interruption causes, so the turn hears of it after the handler has answered.
    queueMicrotask(() => running?.abort());
  }
}

/** What the host only wants remembered has no turn, and what the agent gives itself one of its own. */
function isMergeable({ isContextOnly, origin }: Prompt): boolean {
  return !isContextOnly && origin === undefined;
}
