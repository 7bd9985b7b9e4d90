import type { WireMessage } from '@proto/core/framing';
import type { AgentOutcome } from './agent-options.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { PromptIntake, PromptState } from './prompt-intake.ts';
import { lengthOf, type Prompt } from './prompt.ts';
import { RunningTurn } from './running-turn.ts';
import type { SessionState } from './session-state.ts';
import { createTurnQueue } from './turn-queue.ts';
import type { TurnRunner } from './turn-runner.ts';

/** How many prompts of the host wait for their turns at once: 10 000. One more is refused. */
export const DEFAULT_MAX_QUEUED_PROMPTS = 10_000;
/** What they may have together, in UTF-16 units: 64 Mi. One that finds nothing waiting is always taken. */
export const DEFAULT_MAX_QUEUED_LENGTH = 64 * 1024 * 1024;

/** What the turns of an agent are run with. */
export interface AgentTurnsOptions {
  readonly intake: PromptIntake;
  readonly state: SessionState;
  readonly emit: (message: WireMessage) => Promise<void>;
  readonly createId: () => string;
  /** Fulfils when a turn may begin: the host is introduced. */
  readonly ready: () => Promise<void>;
  /** Fulfils when the transcript of the turn is kept; undefined where nobody keeps it elsewhere. */
  readonly kept: () => Promise<void> | undefined;
  readonly runner: () => TurnRunner;
  readonly tasks: () => Pick<BackgroundTasks, 'size' | 'isWorking' | 'stop' | 'idle'>;
}

/**
 * The turns of an agent, one at a time. Every prompt is accounted for: it waits, runs, joins a running turn or is cancelled, and is told
 * to be completed or cancelled in the end.
 */
export class AgentTurns {
  readonly #options: AgentTurnsOptions;
  readonly #queue = createTurnQueue<Prompt>((prompts) => this.#run(prompts), isMergeable);
  #current: RunningTurn | undefined;
  /** How long those are that wait. */
  readonly #lengths = new Map<Prompt, number>();
  #length = 0;
  #results = 0;
  #isError = false;
  #isLeaving = false;

  constructor(options: AgentTurnsOptions) {
    this.#options = options;
  }

  get outcome(): AgentOutcome {
    return { isError: this.#isError };
  }

  /** Under which signal something is asked in the running turn, where one runs. */
  asking(signal: AbortSignal | undefined): AbortSignal | undefined {
    return this.#current?.asking(signal) ?? signal;
  }

  /** Takes a prompt, to run behind all that waits: `now` cuts the running turn for it, `first` has it run ahead of the others. */
  take(prompt: Prompt, place: 'now' | 'first' | 'last' = 'last'): void {
    if (this.#isLeaving) return this.#tell([prompt], 'cancelled');
    this.#lengths.set(prompt, lengthOf(prompt));
    this.#length += lengthOf(prompt);
    if (place === 'last') return this.#queue.add(prompt);
    this.#queue.addFirst(prompt);
    if (place === 'now' && this.#current?.prompts.includes(prompt) === false) this.#cut();
  }

  /** Why a prompt of the host cannot wait here; undefined where it can. */
  refusalOf(prompt: Pick<Prompt, 'content'>): string | undefined {
    const { size } = this.#queue;
    const isTooLong = size > 0 && this.#length + lengthOf(prompt) > DEFAULT_MAX_QUEUED_LENGTH;
    if (size < DEFAULT_MAX_QUEUED_PROMPTS && !isTooLong) return undefined;
    const limits = `${DEFAULT_MAX_QUEUED_PROMPTS} prompts, ${DEFAULT_MAX_QUEUED_LENGTH} characters`;
    return `A prompt was refused: too many wait for their turns (limits: ${limits}). Send it again when some are done.`;
  }

  /** Takes what waits into the running turn, unless the hooks of prompts are against it. */
  async fold(running: RunningTurn): Promise<readonly Prompt[]> {
    const folded: Prompt[] = [];
    // One by one: what still waits when the turn ends while hooks are asked has a turn of its own.
    while (!running.isOver) {
      const prompt = this.#queue.takeFirst(isMergeable);
      if (prompt === undefined) break;
      this.#gone([prompt]);
      running.fold(prompt);
      this.#options.intake.replay(prompt);
      this.#tell([prompt], 'started');
      if (await this.#options.runner().admit(running, prompt)) folded.push(prompt);
    }
    return folded;
  }

  /** Interrupts the running turn; gives the receipt. */
  interrupt(cancelQueued: boolean): object {
    this.#cut();
    const cancelled = cancelQueued ? this.cancel(() => true) : [];
    const stillQueued = this.#queue.waiting.flatMap(({ uuid }) => uuid ?? []);
    return {
      still_queued: stillQueued,
      ...(cancelQueued && { cancelled: cancelled.flatMap(({ uuid }) => uuid ?? []) }),
    };
  }

  /** Forgets what waits and matches. */
  cancel(matches: (prompt: Prompt) => boolean): readonly Prompt[] {
    const cancelled = this.#queue.remove(matches);
    this.#gone(cancelled);
    this.#tell(cancelled, 'cancelled');
    return cancelled;
  }

  /** Interrupts all there is, and takes nothing more. */
  leave(): void {
    this.#isLeaving = true;
    this.interrupt(true);
    this.#options.tasks().stop();
  }

  /** The session has failed: nothing is told any more. */
  abort(reason: unknown): void {
    this.#current?.abort(reason);
    this.#options.tasks().stop();
  }

  /** Nothing is left to do, for now: told, unless an agent works in the background. */
  rest(): void {
    const { state, tasks } = this.#options;
    if (this.#current === undefined && this.#queue.size === 0 && !tasks().isWorking) state.tell('idle');
  }

  /** Fulfils when no turn runs or waits, and nothing runs in the background. */
  async finished(): Promise<void> {
    const tasks = this.#options.tasks();
    for (;;) {
      await this.#queue.idle();
      if (this.#current === undefined && tasks.size === 0) return;
      await tasks.idle();
    }
  }

  #cut(): void {
    const current = this.#current;
    // Its open questions are taken back ahead of the receipt, as published agents do.
    current?.withdraw();
    // The receipt goes out ahead of all the interruption causes, so the turn hears of it after the handler has answered.
    queueMicrotask(() => current?.abort());
  }

  /** They wait no longer. */
  #gone(prompts: readonly Prompt[]): void {
    for (const prompt of prompts) {
      this.#length -= this.#lengths.get(prompt) ?? 0;
      this.#lengths.delete(prompt);
    }
  }

  async #run(prompts: readonly Prompt[]): Promise<void> {
    this.#gone(prompts);
    const running = new RunningTurn(this.#options.createId(), prompts);
    // From here on an interrupt finds it.
    this.#current = running;
    await this.#ready(running);
    this.#options.state.tell('running');
    this.#tell(prompts, 'started');
    const last = await this.#resultOf(running);
    // Decided: an interrupt that comes now finds no turn.
    const end = running.isInterrupted ? 'cancelled' : 'completed';
    running.close();
    this.#current = undefined;
    this.#tell(running.folded, end);
    this.#isError = last['is_error'] === true;
    await this.#options.emit({ ...last, queued_turn_count: 0, result_index: this.#results++ }).catch(() => {});
    // A prompt is not done with before the next worker would know what came of it.
    const kept = this.#options.kept();
    if (kept !== undefined) await kept;
    this.#tell(prompts, end);
    this.rest();
  }

  async #resultOf(running: RunningTurn): Promise<WireMessage> {
    const { prompts, result } = running;
    const runner = this.#options.runner();
    try {
      if (prompts.some(({ isContextOnly }) => isContextOnly)) {
        await runner.remember(prompts);
        result.conclude({ num_turns: 0 });
      } else await runner.run(running);
      return running.isInterrupted ? running.interrupted() : result.finished();
    } catch (error) {
      return running.isInterrupted ? running.interrupted() : result.failed(error);
    }
  }

  /** What came with the prompt is answered first, and the tools of the host are known. An interrupt does not wait for them. */
  async #ready({ signal }: RunningTurn): Promise<void> {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await Promise.race([this.#options.ready(), aborted]);
  }

  #tell(prompts: readonly Prompt[], state: PromptState): void {
    for (const prompt of prompts) this.#options.intake.tell(prompt, state);
  }
}

/** What the host only wants remembered has no turn, and what the agent gives itself one of its own. */
function isMergeable({ isContextOnly, origin }: Prompt): boolean {
  return !isContextOnly && origin === undefined;
}
