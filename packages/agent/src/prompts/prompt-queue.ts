import type { RunningTurn } from '../turns/running-turn.ts';
import { TurnQueue } from '../turns/turn-queue.ts';
import { textMember } from '../controls/control-members.ts';
import type { AgentWire } from '../agent-wire.ts';
import { createPromptIntake, type PromptIntake } from './prompt-intake.ts';
import { lengthOf, type Prompt } from './prompt.ts';

/** Further prompts are refused. */
export const DEFAULT_MAX_QUEUED_PROMPTS = 10_000;
/** In UTF-16 units. If no prompt is waiting, a prompt of any length is accepted. */
export const DEFAULT_MAX_QUEUED_LENGTH = 64 * 1024 * 1024;

/** Must not reject: the result of the turn reports a failure. */
export type RunPrompts = (prompts: readonly Prompt[]) => Promise<void>;

export type PromptPlace = 'now' | 'first' | 'last' | 'later';

/** Creates the queue of prompts of a session, and serves `interrupt` and `cancel_async_message`. */
export function installPrompts(wire: AgentWire): PromptQueue {
  const queue = new PromptQueue(createPromptIntake(wire), () => wire.arrivals);
  wire.serve({
    // A request that had to wait for room in the queue is served late, but it applies only to prompts that arrived before it.
    interrupt: (request) => queue.interrupt(request['cancel_queued'] === true, wire.arrivalOf(request)),
    cancel_async_message(request) {
      const uuid = textMember(request, 'message_uuid');
      const cancelled = queue.cancel((prompt) => prompt.uuid === uuid, wire.arrivalOf(request));
      return { cancelled: cancelled.length > 0, message_uuid: uuid };
    },
  });
  return queue;
}

/** A prompt waits until it gets a turn, joins a running turn or is cancelled. */
export class PromptQueue {
  readonly intake: PromptIntake;
  readonly #waiting = new TurnQueue<Prompt>({ run: (prompts) => this.#run(prompts), merges: isMergeable });
  #run: RunPrompts = async () => {};
  #running: RunningTurn | undefined;
  readonly #lengths = new Map<Prompt, number>();
  /** For each prompt, the number of the newest host message at the time when the prompt was added. */
  readonly #takenAt = new WeakMap<Prompt, number>();
  readonly #arrivals: () => number;
  #length = 0;
  #isLeaving = false;

  constructor(intake: PromptIntake, arrivals: () => number) {
    this.intake = intake;
    this.#arrivals = arrivals;
  }

  get isIdle(): boolean {
    return this.#running === undefined && this.#waiting.size === 0;
  }

  /** Call this method before the first prompt is added. */
  runWith(run: RunPrompts): void {
    this.#run = run;
  }

  /** Sets the turn that an interrupt applies to. Undefined after the end of the turn. */
  setRunning(running: RunningTurn | undefined): void {
    this.#running = running;
  }

  asking(signal: AbortSignal | undefined): AbortSignal | undefined {
    return this.#running?.asking(signal) ?? signal;
  }

  /**
   * Adds a prompt. With `last`, the prompt runs after the prompts that are waiting. With `later`, it also runs after prompts that are added
   * afterwards. With `first`, it runs before all waiting prompts. With `now`, it interrupts the running turn, and runs after the waiting prompts that
   * were added with `now`, but before all others.
   */
  take(prompt: Prompt, place: PromptPlace = 'last'): void {
    if (this.#isLeaving) return this.intake.report(prompt, 'cancelled');
    this.#lengths.set(prompt, lengthOf(prompt));
    this.#takenAt.set(prompt, this.#arrivals());
    this.#length += lengthOf(prompt);
    if (place === 'last') return this.#waiting.add(prompt);
    if (place === 'later') return this.#waiting.addLater(prompt);
    if (place === 'first') return this.#waiting.addFirst(prompt);
    this.#waiting.addUrgent(prompt);
    if (this.#running?.prompts.includes(prompt) === false) this.#cut();
  }

  refusalOf(prompt: Pick<Prompt, 'content'>): string | undefined {
    const { size } = this.#waiting;
    const isTooLong = size > 0 && this.#length + lengthOf(prompt) > DEFAULT_MAX_QUEUED_LENGTH;
    if (size < DEFAULT_MAX_QUEUED_PROMPTS && !isTooLong) return undefined;
    const limits = `${DEFAULT_MAX_QUEUED_PROMPTS} prompts, ${DEFAULT_MAX_QUEUED_LENGTH} characters`;
    return `A prompt was refused, because too many prompts are queued (limits: ${limits}). Send the prompt again after some of them have been processed.`;
  }

  /**
   * A prompt that is only added to the conversation does not join, and the prompts after it wait too, because the model must know its text when it
   * answers them.
   */
  takeFirst(): Prompt | undefined {
    const prompt = this.#waiting.takeFirst(isMergeable, ({ isContextOnly }) => isContextOnly);
    if (prompt !== undefined) this.dequeued([prompt]);
    return prompt;
  }

  dequeued(prompts: readonly Prompt[]): void {
    for (const prompt of prompts) {
      this.#length -= this.#lengths.get(prompt) ?? 0;
      this.#lengths.delete(prompt);
    }
  }

  /**
   * Interrupts the running turn, unless all its prompts arrived after the interrupt. `arrival` is the number of the message that contains the
   * interrupt. If `arrival` is absent, every turn is interrupted. Returns the receipt, which names only prompts that arrived before the interrupt.
   */
  interrupt(cancelQueued: boolean, arrival = Infinity): object {
    if (this.#running?.prompts.some((prompt) => this.#isBefore(prompt, arrival)) === true) this.#cut();
    const cancelled = cancelQueued ? this.cancel(() => true, arrival) : [];
    const waiting = this.#waiting.waiting.filter((prompt) => this.#isBefore(prompt, arrival));
    const stillQueued = waiting.flatMap(({ uuid }) => uuid ?? []);
    return {
      still_queued: stillQueued,
      ...(cancelQueued && { cancelled: cancelled.flatMap(({ uuid }) => uuid ?? []) }),
    };
  }

  /** Cancels all waiting prompts that match and arrived before the message with the number `arrival`. */
  cancel(matches: (prompt: Prompt) => boolean, arrival = Infinity): readonly Prompt[] {
    const cancelled = this.#waiting.remove((prompt) => this.#isBefore(prompt, arrival) && matches(prompt));
    this.dequeued(cancelled);
    for (const prompt of cancelled) this.intake.report(prompt, 'cancelled');
    return cancelled;
  }

  /** Interrupts the running turn, cancels all waiting prompts, and refuses further prompts. */
  leave(): void {
    this.#isLeaving = true;
    this.interrupt(true);
  }

  abort(reason: unknown): void {
    this.#running?.abort(reason);
  }

  idle(): Promise<void> {
    return this.#waiting.idle();
  }

  #isBefore(prompt: Prompt, arrival: number): boolean {
    return (this.#takenAt.get(prompt) ?? 0) < arrival;
  }

  #cut(): void {
    const running = this.#running;
    // A prompt that is only added to the conversation has no turn that could be interrupted.
    if (running?.isContextOnly === true) return;
    // The open questions of the turn are cancelled before the receipt is sent, as in published agents.
    running?.withdraw();
    // The receipt must be sent before any message that the interrupt causes, so the turn is interrupted after the handler has answered.
    queueMicrotask(() => running?.abort());
  }
}

/**
 * Whether a prompt may share a turn with other prompts. A prompt that is only added to the conversation has no turn, and a prompt from the agent
 * itself has a separate turn.
 */
function isMergeable({ isContextOnly, origin }: Prompt): boolean {
  return !isContextOnly && origin === undefined;
}

/** A prompt without a priority is queued for the next turn. */
export function placeOf(priority: unknown): PromptPlace {
  return priority === 'now' || priority === 'later' ? priority : 'last';
}
