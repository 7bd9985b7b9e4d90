import type { WireMessage } from '@proto/core/framing';
import { messageOf } from '@proto/core/internal';
import { ownPrompt, type Prompt, type PromptContent } from './prompt.ts';

/** Work that goes on beyond its turn. */
export interface BackgroundTask {
  readonly description: string;
  /** `local_bash`, `local_agent` ... While one of the latter runs the session is not told to be idle. */
  readonly task_type: string;
  /** The call that began it. */
  readonly tool_use_id?: string;
  /** Further members of `task_started`: `prompt`, `subagent_type` ... */
  readonly [member: string]: unknown;
  /** What it has written so far, for hosts that look. */
  output?(): string;
  /** Does it. The signal aborts when the host stops the task, or the session ends; what it throws is a task that failed. */
  run(signal: AbortSignal, taskId: string): Promise<BackgroundEnd>;
}

/** How a background task ended. */
export interface BackgroundEnd {
  readonly summary: string;
  /** Default `completed`. */
  readonly status?: 'completed' | 'failed';
  /** What the turn it causes begins with. Default: its summary. */
  readonly prompt?: PromptContent;
  /** Further members of `task_notification`: `output_file`, `usage` ... */
  readonly [member: string]: unknown;
}

/** What tasks tell, and what their end causes. */
export interface BackgroundTasksOptions {
  readonly emit: (message: WireMessage) => void;
  readonly createId: () => string;
  /** A task has ended: with the prompt of the turn it causes, or none where it was stopped. */
  readonly onEnd: (prompt?: Prompt) => void;
}

/** The tasks that run in the background. */
export interface BackgroundTasks {
  readonly size: number;
  /** Whether one of them is an agent's own work. */
  readonly isWorking: boolean;
  /** As hooks are told of them. */
  readonly summaries: readonly object[];
  start(task: BackgroundTask): string;
  /** Ends one, or all; one that is over is no error. */
  stop(taskId?: unknown): void;
  /** The end of what one has written; undefined for one that is over or does not write. */
  outputOf(taskId: string): object | undefined;
  /** Tells which ones run. */
  tell(): void;
  /** Fulfils when none runs. */
  idle(): Promise<void>;
}

// As much as published agents show.
const MAX_OUTPUT_BYTES = 8 * 1024;

/** Makes a session's background tasks, none of them running. */
export function createBackgroundTasks({ emit, createId, onEnd }: BackgroundTasksOptions): BackgroundTasks {
  const running = new Map<
    string,
    { listed: object; task: BackgroundTask; controller: AbortController; over: Promise<void> }
  >();
  const system = (subtype: string, members: object) => emit({ type: 'system', subtype, ...members });
  const tell = () =>
    system('background_tasks_changed', { tasks: Array.from(running.values(), ({ listed }) => listed) });

  async function follow(task_id: string, { run, tool_use_id }: BackgroundTask, signal: AbortSignal): Promise<void> {
    const failed = (error: unknown): BackgroundEnd => ({ status: 'failed', summary: messageOf(error) });
    // Also one that throws before its first await.
    const end = await Promise.resolve()
      .then(() => run(signal, task_id))
      .catch(failed);
    const { prompt = end.summary, status = 'completed', ...members } = end;
    running.delete(task_id);
    const stopped = signal.aborted;
    system('task_updated', { task_id, patch: { status: stopped ? 'killed' : status, end_time: Date.now() } });
    const notification = { task_id, tool_use_id, output_file: '', ...members, status: stopped ? 'stopped' : status };
    system('task_notification', notification);
    tell();
    // Who has stopped it does not wait for it.
    onEnd(stopped ? undefined : ownPrompt(prompt, { kind: 'task-notification' }));
  }

  return {
    get size() {
      return running.size;
    },
    get isWorking() {
      return [...running.values()].some(({ task }) => task.task_type !== 'local_bash');
    },
    get summaries() {
      return Array.from(running, ([id, { task }]) => {
        const { task_type: type, description } = task;
        return { id, type, status: 'running', description };
      });
    },
    start(task) {
      const task_id = createId();
      const { run: _run, output: _output, ...members } = task;
      const { task_type, description, subagent_type } = task;
      const controller = new AbortController();
      const listed = { task_id, task_type, ...(subagent_type !== undefined && { subagent_type }), description };
      const over = follow(task_id, task, controller.signal);
      running.set(task_id, { listed, task, controller, over });
      tell();
      system('task_started', { task_id, is_backgrounded: true, ...members });
      return task_id;
    },
    stop(taskId) {
      for (const [id, { controller }] of running) if (taskId === undefined || taskId === id) controller.abort();
    },
    outputOf(taskId) {
      const output = running.get(taskId)?.task.output?.();
      if (output === undefined) return undefined;
      const bytes = new TextEncoder().encode(output);
      const shown = new TextDecoder().decode(bytes.subarray(-MAX_OUTPUT_BYTES));
      return { output: shown, total_bytes: bytes.length, truncated: bytes.length > MAX_OUTPUT_BYTES };
    },
    tell,
    async idle() {
      while (running.size > 0) await Promise.all(Array.from(running.values(), ({ over }) => over));
    },
  };
}
