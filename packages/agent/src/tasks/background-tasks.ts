import { ControlError } from '@proto/core';
import { messageOf } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import { textMember } from '../controls/control-members.ts';
import type { PromptQueue } from '../prompts/prompt-queue.ts';
import { ownPrompt, type Prompt } from '../prompts/prompt.ts';
import { type SessionState, tellIdle } from '../turns/session-state.ts';
import type { BackgroundEnd, BackgroundTask } from './background-task.ts';

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

/** The background tasks of a session. The end of one gives the agent a prompt. Serves what the host asks of them. */
export function installTasks(wire: AgentWire, prompts: PromptQueue, state: SessionState): BackgroundTasks {
  const tasks = createBackgroundTasks(wire, (prompt) => {
    if (prompt === undefined) tellIdle(state, prompts, tasks);
    else prompts.take(prompt);
  });
  wire.serve({
    stop_task({ task_id }) {
      // One that is unknown is over; hosts stop what has just ended.
      if (typeof task_id === 'string') tasks.stop(task_id);
      return {};
    },
    // A tool that runs belongs to its loop.
    background_tasks: () => ({ backgrounded: false }),
    get_task_output(request) {
      const output = tasks.outputOf(textMember(request, 'task_id'));
      if (output === undefined) throw new ControlError('No such task, or it has no output');
      return output;
    },
  });
  return tasks;
}

/** Makes tasks of which none runs. `onEnd` is given the prompt of the turn that the end of one causes, none where it was stopped. */
function createBackgroundTasks(
  { tell: emit, createId }: Pick<AgentWire, 'tell' | 'createId'>,
  onEnd: (prompt?: Prompt) => void,
): BackgroundTasks {
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
