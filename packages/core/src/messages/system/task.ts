import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Schema of `SDKMcpResourceLink`. */
export const mcpResourceLink = lazy(() =>
  object({
    uri: z.string(),
    name: z.string(),
    title: optional(z.string()),
    description: optional(z.string()),
    mimeType: optional(z.string()),
    size: optional(z.number()),
    annotations: optional(z.record(z.string(), z.unknown())),
  }),
);

/** A file that an MCP tool points to. */
export type SDKMcpResourceLink = Infer<typeof mcpResourceLink>;

/** Schema of `SDKTaskStartedMessage`. */
export const taskStartedMessage = lazy(() =>
  systemMessage('task_started', {
    task_id: z.string(),
    run_id: optional(z.string()),
    tool_use_id: optional(z.string()),
    description: z.string(),
    subagent_type: optional(z.string()),
    is_backgrounded: optional(z.boolean()),
    spawn_depth: optional(z.number()),
    parent_task_id: optional(z.string()),
    task_type: optional(z.string()),
    workflow_name: optional(z.string()),
    prompt: optional(z.string()),
    skip_transcript: optional(z.boolean()),
    ambient: optional(z.boolean()),
  }),
);

/** A subagent, background shell, monitor or workflow was registered. */
export type SDKTaskStartedMessage = Infer<typeof taskStartedMessage>;

/** Schema of `SDKTaskUpdatedMessage`. */
export const taskUpdatedMessage = lazy(() =>
  systemMessage('task_updated', {
    task_id: z.string(),
    run_id: optional(z.string()),
    patch: object({
      status: optional(openEnum(['pending', 'running', 'completed', 'failed', 'killed', 'paused'])),
      description: optional(z.string()),
      end_time: optional(z.number()),
      total_paused_ms: optional(z.number()),
      error: optional(z.string()),
      is_backgrounded: optional(z.boolean()),
    }),
  }),
);

/** Members of a task changed; its end may be told nowhere else. */
export type SDKTaskUpdatedMessage = Infer<typeof taskUpdatedMessage>;

/** Schema of `SDKTaskProgressMessage`. */
export const taskProgressMessage = lazy(() =>
  systemMessage('task_progress', {
    task_id: z.string(),
    run_id: optional(z.string()),
    tool_use_id: optional(z.string()),
    description: z.string(),
    subagent_type: optional(z.string()),
    usage: object({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() }),
    last_tool_name: optional(z.string()),
    summary: optional(z.string()),
  }),
);

/** How far a task is. */
export type SDKTaskProgressMessage = Infer<typeof taskProgressMessage>;

/** Schema of `SDKTaskNotificationMessage`. */
export const taskNotificationMessage = lazy(() =>
  systemMessage('task_notification', {
    task_id: z.string(),
    run_id: optional(z.string()),
    tool_use_id: optional(z.string()),
    status: openEnum(['completed', 'failed', 'stopped']),
    reason: optional(openEnum(['worker_restart'])),
    output_file: z.string(),
    summary: z.string(),
    usage: optional(object({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() })),
    resource_links: optional(z.array(mcpResourceLink())),
    skip_transcript: optional(z.boolean()),
    ambient: optional(z.boolean()),
  }),
);

/** A task ended. */
export type SDKTaskNotificationMessage = Infer<typeof taskNotificationMessage>;

/** Schema of `SDKBackgroundTasksChangedMessage`. */
export const backgroundTasksChangedMessage = lazy(() =>
  systemMessage('background_tasks_changed', {
    tasks: z.array(
      object({
        task_id: z.string(),
        run_id: optional(z.string()),
        task_type: z.string(),
        subagent_type: optional(z.string()),
        description: z.string(),
        parent_task_id: optional(z.string()),
        ambient: optional(z.boolean()),
      }),
    ),
  }),
);

/** All tasks that live in the background now: replaces what was known. */
export type SDKBackgroundTasksChangedMessage = Infer<typeof backgroundTasksChangedMessage>;
