import { ControlError } from '@proto/core';
import { messageOf } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import { textMember } from '../controls/control-members.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import { ownPrompt, type Prompt } from '../prompts/prompt.ts';
import { type SessionState, reportIdle } from '../turns/session-state.ts';
import type { BackgroundEnd, BackgroundTask } from '../turns/turn.ts';

interface RunningTask {
  readonly task: BackgroundTask;
  /** The task, in the form of `background_tasks_changed`. */
  readonly listed: object;
  readonly controller: AbortController;
  /** Fulfils when the end of the task has been reported. */
  readonly ended: Promise<void>;
}

// The same limit as in published agents.
const MAX_OUTPUT_BYTES = 8 * 1024;

export class BackgroundTasks {
  readonly #wire: Pick<AgentWire, 'send' | 'createId'>;
  /** Called when a task ends, with the prompt for the turn that then begins, or without a prompt if the task was stopped. */
  readonly #onEnd: (prompt?: Prompt) => void;
  readonly #running = new Map<string, RunningTask>();

  constructor(wire: Pick<AgentWire, 'send' | 'createId'>, onEnd: (prompt?: Prompt) => void) {
    this.#wire = wire;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#running.size;
  }

  /** True while a subagent is running. Shell commands do not count. */
  get isWorking(): boolean {
    return [...this.#running.values()].some(({ task }) => task.task_type !== 'local_bash');
  }

  /** The tasks, in the form that hooks receive. */
  get summaries(): readonly object[] {
    return Array.from(this.#running, ([id, { task }]) => {
      const { task_type: type, description } = task;
      return { id, type, status: 'running', description };
    });
  }

  /** Returns the id of the task. */
  start(task: BackgroundTask): string {
    const task_id = this.#wire.createId();
    const { run: _run, output: _output, ...members } = task;
    const { task_type, description, subagent_type } = task;
    const controller = new AbortController();
    const listed = { task_id, task_type, ...(subagent_type !== undefined && { subagent_type }), description };
    const ended = this.#follow(task_id, task, controller.signal);
    this.#running.set(task_id, { task, listed, controller, ended });
    this.report();
    this.#system('task_started', { task_id, is_backgrounded: true, ...members });
    return task_id;
  }

  /** Stops one task, or all tasks. Does nothing for a task that has ended. */
  stop(taskId?: unknown): void {
    for (const [id, { controller }] of this.#running) if (taskId === undefined || taskId === id) controller.abort();
  }

  /** The last 8 KiB. Undefined for a task that has ended or has no output. */
  outputOf(taskId: string): object | undefined {
    const output = this.#running.get(taskId)?.task.output?.();
    if (output === undefined) return undefined;
    const bytes = new TextEncoder().encode(output);
    const shown = new TextDecoder().decode(bytes.subarray(-MAX_OUTPUT_BYTES));
    return { output: shown, total_bytes: bytes.length, truncated: bytes.length > MAX_OUTPUT_BYTES };
  }

  report(): void {
    this.#system('background_tasks_changed', { tasks: Array.from(this.#running.values(), ({ listed }) => listed) });
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
  }

  async #follow(task_id: string, task: BackgroundTask, signal: AbortSignal): Promise<void> {
    const failed = (error: unknown): BackgroundEnd => ({ status: 'failed', summary: messageOf(error) });
    // Called in a callback, so that a task that throws before its first `await` fails like any other task.
    const end = await Promise.resolve()
      .then(() => task.run(signal, task_id))
      .catch(failed);
    const { prompt = end.summary, status = 'completed', ...members } = end;
    this.#running.delete(task_id);
    const stopped = signal.aborted;
    this.#system('task_updated', { task_id, patch: { status: stopped ? 'killed' : status, end_time: Date.now() } });
    const { tool_use_id } = task;
    const notification = { task_id, tool_use_id, output_file: '', ...members, status: stopped ? 'stopped' : status };
    this.#system('task_notification', notification);
    this.report();
    // If the host stopped the task, the host does not wait for a result.
    this.#onEnd(stopped ? undefined : ownPrompt(prompt, { kind: 'task-notification' }));
  }

  #system(subtype: string, members: object): void {
    this.#wire.send({ type: 'system', subtype, ...members });
  }
}

/** When a task ends, the agent receives a prompt. */
export function installTasks(wire: AgentWire, prompts: PromptQueue, state: SessionState): BackgroundTasks {
  const tasks = new BackgroundTasks(wire, (prompt) => {
    if (prompt === undefined) reportIdle(state, prompts, tasks);
    else prompts.take(prompt);
  });
  wire.serve({
    stop_task(request) {
      // An unknown task is not an error: it may have ended just before the host's request.
      tasks.stop(textMember(request, 'task_id'));
      return {};
    },
    // A running tool belongs to its turn and cannot be moved to the background.
    background_tasks: () => ({ backgrounded: false }),
    get_task_output(request) {
      const output = tasks.outputOf(textMember(request, 'task_id'));
      if (output === undefined) throw new ControlError('the task does not exist, or has no output');
      return output;
    },
  });
  return tasks;
}
