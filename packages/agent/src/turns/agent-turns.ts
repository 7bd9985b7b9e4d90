import type { WireMessage } from '@proto/core/framing';
import type { AgentOutcome } from '../agent-options.ts';
import type { AgentWire } from '../agent-wire.ts';
import type { HostInitialize } from '../controls/host-initialize.ts';
import type { SettingsChanges } from '../controls/settings-changes.ts';
import type { HostMcpServers } from '../mcp/host-mcp-servers.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import type { Prompt, PromptState } from '../prompts/prompt.ts';
import type { BackgroundTasks } from '../tasks/background-tasks.ts';
import { RunningTurn } from './running-turn.ts';
import type { SessionSpent } from './turn-result.ts';
import { type SessionState, reportIdle } from './session-state.ts';
import type { TurnRunner } from './turn-runner.ts';

export interface AgentTurnsOptions {
  readonly wire: AgentWire;
  readonly prompts: PromptQueue;
  readonly state: SessionState;
  readonly tasks: BackgroundTasks;
  readonly runner: TurnRunner;
  /** A turn begins only after the settings of an earlier worker are restored, `initialize` is answered, and the host's tools are known. */
  readonly settings: Pick<SettingsChanges, 'restored'>;
  readonly initialize: Pick<HostInitialize, 'ready'>;
  readonly mcp: Pick<HostMcpServers, 'ready'>;
}

/** Runs one turn at a time. At the end of a turn, sends its result, and then reports its prompts as completed or cancelled. */
export class AgentTurns {
  readonly #options: AgentTurnsOptions;
  #results = 0;
  #isError = false;
  /** Undefined if nothing has to be restored. */
  #restoring: Promise<void> | undefined;
  // The totals of the whole session, as given in the last result.
  #spent: SessionSpent | undefined;

  constructor(options: AgentTurnsOptions) {
    this.#options = options;
    options.prompts.runWith((prompts) => this.#run(prompts));
    this.#restoring = options.settings.restored?.finally(() => (this.#restoring = undefined));
  }

  get outcome(): AgentOutcome {
    return { isError: this.#isError };
  }

  /** Fulfils when no turn is running or waiting, and nothing is running in the background. */
  async finished(): Promise<void> {
    const { prompts, tasks } = this.#options;
    for (;;) {
      await prompts.idle();
      if (prompts.isIdle && tasks.size === 0) return;
      await tasks.idle();
    }
  }

  async #run(prompts: readonly Prompt[]): Promise<void> {
    const { wire, prompts: queue, state, tasks, mcp } = this.#options;
    queue.dequeued(prompts);
    const running = new RunningTurn(wire.createId(), prompts, this.#spent);
    // From here on, an interrupt applies to this turn.
    queue.setRunning(running);
    // Reported as soon as the prompts have left the queue, so that a prompt that arrives later is not reported as waiting before it.
    state.report('running');
    this.#report(prompts, 'started');
    if (this.#introduction() !== undefined) await this.#introduced(running);
    await unlessAborted(mcp.ready(), running);
    const last = await this.#resultOf(running);
    // The outcome is decided: an interrupt that arrives now no longer applies to this turn.
    const end = running.isInterrupted ? 'cancelled' : 'completed';
    running.close();
    queue.setRunning(undefined);
    this.#report(running.folded, end);
    this.#isError = last['is_error'] === true;
    this.#spent = { total_cost_usd: last['total_cost_usd'], modelUsage: last['modelUsage'] };
    await wire.emit({ ...last, queued_turn_count: 0, result_index: this.#results++ }).catch(() => {});
    // A prompt is completed only when the server has stored its transcript, so that the next worker knows the result.
    if (wire.worker !== undefined) await wire.worker.flush();
    this.#report(prompts, end);
    reportIdle(state, queue, tasks);
  }

  async #resultOf(running: RunningTurn): Promise<WireMessage> {
    const { prompts, result } = running;
    const { runner } = this.#options;
    try {
      if (running.isContextOnly) {
        await runner.remember(prompts);
        result.conclude({ num_turns: 0 });
      } else await runner.run(running);
      return running.isInterrupted ? running.interrupted() : result.finished();
    } catch (error) {
      return running.isInterrupted ? running.interrupted() : result.failed(error);
    }
  }

  async #introduced(running: RunningTurn): Promise<void> {
    for (let wait = this.#introduction(); wait !== undefined && !running.signal.aborted; wait = this.#introduction())
      await unlessAborted(wait, running);
  }

  /** What a turn waits for before it begins. Undefined if nothing is left. */
  #introduction(): Promise<unknown> | undefined {
    return this.#restoring ?? this.#options.initialize.ready();
  }

  #report(prompts: readonly Prompt[], state: PromptState): void {
    for (const prompt of prompts) this.#options.prompts.intake.report(prompt, state);
  }
}

/** An interrupt of the turn ends the wait. */
async function unlessAborted(something: Promise<unknown>, { signal }: RunningTurn): Promise<void> {
  if (signal.aborted) return;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([something, aborted]);
}
