import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, protocol } from '../open.ts';

export const mcpResourceLink = z
  .looseObject({
    uri: z.string(),
    name: z.string(),
    title: z.optional(z.string()),
    description: z.optional(z.string()),
    mimeType: z.optional(z.string()),
    size: z.optional(z.number()),
    annotations: z.optional(z.record(z.string(), z.unknown())),
  })
  .register(protocol, { id: 'SDKMcpResourceLink', description: 'A file that an MCP tool points to.' });

export const taskStartedMessage = systemMessage('task_started', {
  task_id: z.string(),
  run_id: z.optional(z.string()),
  tool_use_id: z.optional(z.string()),
  description: z.string(),
  subagent_type: z.optional(z.string()),
  is_backgrounded: z.optional(z.boolean()),
  spawn_depth: z.optional(z.number()),
  parent_task_id: z.optional(z.string()),
  task_type: z.optional(z.string()),
  workflow_name: z.optional(z.string()),
  prompt: z.optional(z.string()),
  skip_transcript: z.optional(z.boolean()),
  ambient: z.optional(z.boolean()),
}).register(protocol, {
  id: 'SDKTaskStartedMessage',
  description: 'A subagent, background shell, monitor or workflow was registered.',
});

export const taskUpdatedMessage = systemMessage('task_updated', {
  task_id: z.string(),
  run_id: z.optional(z.string()),
  patch: z.looseObject({
    status: z.optional(openEnum(['pending', 'running', 'completed', 'failed', 'killed', 'paused'])),
    description: z.optional(z.string()),
    end_time: z.optional(z.number()),
    total_paused_ms: z.optional(z.number()),
    error: z.optional(z.string()),
    is_backgrounded: z.optional(z.boolean()),
  }),
}).register(protocol, {
  id: 'SDKTaskUpdatedMessage',
  description: 'Members of a task changed; its end may be told nowhere else.',
});

export const taskProgressMessage = systemMessage('task_progress', {
  task_id: z.string(),
  run_id: z.optional(z.string()),
  tool_use_id: z.optional(z.string()),
  description: z.string(),
  subagent_type: z.optional(z.string()),
  usage: z.looseObject({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() }),
  last_tool_name: z.optional(z.string()),
  summary: z.optional(z.string()),
}).register(protocol, { id: 'SDKTaskProgressMessage', description: 'How far a task is.' });

export const taskNotificationMessage = systemMessage('task_notification', {
  task_id: z.string(),
  run_id: z.optional(z.string()),
  tool_use_id: z.optional(z.string()),
  status: openEnum(['completed', 'failed', 'stopped']),
  reason: z.optional(openEnum(['worker_restart'])),
  output_file: z.string(),
  summary: z.string(),
  usage: z.optional(z.looseObject({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() })),
  resource_links: z.optional(z.array(mcpResourceLink)),
  skip_transcript: z.optional(z.boolean()),
  ambient: z.optional(z.boolean()),
}).register(protocol, { id: 'SDKTaskNotificationMessage', description: 'A task ended.' });

export const backgroundTasksChangedMessage = systemMessage('background_tasks_changed', {
  tasks: z.array(
    z.looseObject({
      task_id: z.string(),
      run_id: z.optional(z.string()),
      task_type: z.string(),
      subagent_type: z.optional(z.string()),
      description: z.string(),
      parent_task_id: z.optional(z.string()),
      ambient: z.optional(z.boolean()),
    }),
  ),
}).register(protocol, {
  id: 'SDKBackgroundTasksChangedMessage',
  description: 'All tasks that live in the background now: replaces what was known.',
});
