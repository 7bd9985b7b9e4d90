import { systemMessage } from '../agent-message.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, number, openEnum, record, string, unknown } from '../schema.ts';

/** Schema of `SDKMcpResourceLink`. */
export const mcpResourceLink = lazy(() =>
  object({
    uri: string,
    name: string,
    title: optional(string),
    description: optional(string),
    mimeType: optional(string),
    size: optional(number),
    annotations: optional(record(unknown)),
  }),
);

/** A file that an MCP tool points to. */
export type SDKMcpResourceLink = Infer<typeof mcpResourceLink>;

/** Schema of `SDKTaskStartedMessage`. */
export const taskStartedMessage = lazy(() =>
  systemMessage('task_started', {
    task_id: string,
    run_id: optional(string),
    tool_use_id: optional(string),
    description: string,
    subagent_type: optional(string),
    is_backgrounded: optional(boolean),
    spawn_depth: optional(number),
    parent_task_id: optional(string),
    task_type: optional(string),
    workflow_name: optional(string),
    prompt: optional(string),
    skip_transcript: optional(boolean),
    ambient: optional(boolean),
  }),
);

/** A subagent, background shell, monitor or workflow was registered. */
export type SDKTaskStartedMessage = Infer<typeof taskStartedMessage>;

/** Schema of `SDKTaskUpdatedMessage`. */
export const taskUpdatedMessage = lazy(() =>
  systemMessage('task_updated', {
    task_id: string,
    run_id: optional(string),
    patch: object({
      status: optional(openEnum(['pending', 'running', 'completed', 'failed', 'killed', 'paused'])),
      description: optional(string),
      end_time: optional(number),
      total_paused_ms: optional(number),
      error: optional(string),
      is_backgrounded: optional(boolean),
    }),
  }),
);

/** Members of a task changed; its end may be told nowhere else. */
export type SDKTaskUpdatedMessage = Infer<typeof taskUpdatedMessage>;

/** Schema of `SDKTaskProgressMessage`. */
export const taskProgressMessage = lazy(() =>
  systemMessage('task_progress', {
    task_id: string,
    run_id: optional(string),
    tool_use_id: optional(string),
    description: string,
    subagent_type: optional(string),
    usage: object({ total_tokens: number, tool_uses: number, duration_ms: number }),
    last_tool_name: optional(string),
    summary: optional(string),
  }),
);

/** How far a task is. */
export type SDKTaskProgressMessage = Infer<typeof taskProgressMessage>;

/** Schema of `SDKTaskNotificationMessage`. */
export const taskNotificationMessage = lazy(() =>
  systemMessage('task_notification', {
    task_id: string,
    run_id: optional(string),
    tool_use_id: optional(string),
    status: openEnum(['completed', 'failed', 'stopped']),
    reason: optional(openEnum(['worker_restart'])),
    output_file: string,
    summary: string,
    usage: optional(object({ total_tokens: number, tool_uses: number, duration_ms: number })),
    resource_links: optional(array(mcpResourceLink)),
    skip_transcript: optional(boolean),
    ambient: optional(boolean),
  }),
);

/** A task ended. */
export type SDKTaskNotificationMessage = Infer<typeof taskNotificationMessage>;

/** Schema of `SDKBackgroundTasksChangedMessage`. */
export const backgroundTasksChangedMessage = lazy(() =>
  systemMessage('background_tasks_changed', {
    tasks: array(
      object({
        task_id: string,
        run_id: optional(string),
        task_type: string,
        subagent_type: optional(string),
        description: string,
        parent_task_id: optional(string),
        ambient: optional(boolean),
      }),
    ),
  }),
);

/** All tasks that live in the background now: replaces what was known. */
export type SDKBackgroundTasksChangedMessage = Infer<typeof backgroundTasksChangedMessage>;
