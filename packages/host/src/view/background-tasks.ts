import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import { textOr } from './content.ts';
import type { BackgroundTask } from './snapshot.ts';

const MAX_TASKS = 1000;
const STATUSES = ['running', 'paused', 'completed', 'failed', 'stopped'] as const;

/** The background tasks of a session, as `system` messages report them. */
export class BackgroundTasks {
  readonly #tasks = new Map<string, BackgroundTask>();
  #snapshot: readonly BackgroundTask[] | undefined = [];

  /** Processes a message with the subtype of a task. Returns the task that has ended with it. */
  add(message: WireMessage): BackgroundTask | undefined {
    const { subtype, task_id: id, patch, tasks } = message;
    if (subtype === 'background_tasks_changed')
      this.#replaceRunning(Array.isArray(tasks) ? tasks.filter(isRecord) : []);
    // The description of a progress message is what the task is doing.
    else if (subtype === 'task_progress')
      return this.#update(String(id), {
        ...message,
        description: undefined,
        summary: message['summary'] ?? message['description'],
      });
    else if (subtype === 'task_updated') return this.#update(String(id), isRecord(patch) ? patch : {});
    else return this.#update(String(id), message);
    return undefined;
  }

  /** A new conversation has no tasks. */
  stopAll(): void {
    this.#replaceRunning([]);
  }

  snapshot(): readonly BackgroundTask[] {
    return (this.#snapshot ??= [...this.#tasks.values()]);
  }

  #update(id: string, members: Readonly<Record<string, unknown>>): BackgroundTask | undefined {
    const before = this.#tasks.get(id) ?? { ...UNKNOWN_TASK, id };
    const { task_type: type, description, status, tool_use_id: callId, summary, ambient } = members;
    const task: BackgroundTask = {
      id,
      type: textOr(type, before.type),
      description: textOr(description, before.description),
      status: status === 'killed' ? 'stopped' : (STATUSES.find((one) => one === status) ?? before.status),
      callId: textOr(callId, before.callId),
      summary: textOr(summary, before.summary),
      isAmbient: typeof ambient === 'boolean' ? ambient : before.isAmbient,
    };
    this.#set(task);
    return isLive(before) && !isLive(task) ? task : undefined;
  }

  /** The list contains every task that is running. */
  #replaceRunning(listed: readonly Readonly<Record<string, unknown>>[]): void {
    const running = new Set(listed.map(({ task_id: id }) => String(id)));
    for (const task of this.#tasks.values()) {
      if (isLive(task) && !running.has(task.id)) this.#set({ ...task, status: 'stopped' });
    }
    for (const members of listed.slice(0, MAX_TASKS)) this.#update(String(members['task_id']), members);
  }

  #set(task: BackgroundTask): void {
    this.#tasks.set(task.id, task);
    this.#snapshot = undefined;
    if (this.#tasks.size <= MAX_TASKS) return;
    const [oldest] = [...this.#tasks.values()].filter((one) => !isLive(one));
    this.#tasks.delete((oldest ?? task).id);
  }
}

const UNKNOWN_TASK = {
  type: '',
  description: '',
  status: 'running',
  callId: undefined,
  summary: '',
  isAmbient: false,
} as const;

function isLive({ status }: BackgroundTask): boolean {
  return status === 'running' || status === 'paused';
}
