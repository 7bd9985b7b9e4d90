import * as z from 'zod/mini';
import { subagentType, systemMessage } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const mcpResourceLink = openObject({
  uri: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  size: z.optional(z.number()).check(z.describe('The size of the file in bytes.')),
  annotations: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The audience and the priority of the file, as MCP defines them.')),
}).register(protocol, { id: 'SDKMcpResourceLink', description: 'A file that an MCP tool points to.' });

const ofRun = {
  task_id: z.string().check(z.describe('The id of the task, the same in all messages about the task. The `task_id` of a subagent is also its `agent_id`.')),
  run_id: z
    .optional(z.string())
    .check(
      z.describe(
        'The id of one run of the task. A resumed task keeps its `task_id` and gets a new `run_id`, which sorts after all earlier run ids of the task.',
      ),
    ),
};
const ofCall = { ...ofRun, tool_use_id: z.optional(z.string()).check(z.describe('The id of the tool call that the task belongs to.')) };
const parentTask = z.optional(z.string()).check(z.describe('The `task_id` of the subagent that started this task.'));
const ambient = z
  .optional(z.boolean())
  .check(z.describe('True if the task does not count as activity. Do not display the session as busy because of this task.'));
const howItIsShown = {
  skip_transcript: z.optional(z.boolean()).check(z.describe('True if the task should not be displayed within the conversation.')),
  ambient,
};
const usage = openObject({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() });
const taskType = z.describe('The kind of the task, such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`. New kinds may be added.');

export const taskStartedMessage = systemMessage('task_started', {
  ...ofCall,
  description: z.string(),
  subagent_type: subagentType,
  is_backgrounded: z.optional(z.boolean()).check(z.describe('True if the task has been running in the background from the start.')),
  spawn_depth: z
    .optional(z.number())
    .check(
      z.describe('The depth of the subagent. The depth is 1 if the main conversation started the subagent, 2 if a subagent of depth 1 started it, and so on.'),
    ),
  parent_task_id: parentTask,
  task_type: z.optional(z.string()).check(taskType),
  workflow_name: z.optional(z.string()).check(z.describe('The name of the workflow. Present only if the task is a workflow.')),
  prompt: z.optional(z.string()).check(z.describe('The instructions that the task was given for this run.')),
  ...howItIsShown,
}).register(protocol, { id: 'SDKTaskStartedMessage', description: 'A new task was registered: a subagent, a background shell, a monitor or a workflow.' });

export const taskUpdatedMessage = systemMessage('task_updated', {
  ...ofRun,
  patch: openObject({
    status: z
      .optional(openEnum(['pending', 'running', 'completed', 'failed', 'killed', 'paused']))
      .check(z.describe('The new status of the task. If the status is `killed` in this message, it is `stopped` in the `task_notification` of the same task.')),
    description: z.optional(z.string()),
    end_time: z.optional(z.number()).check(z.describe('When the task ended, in milliseconds since 1970.')),
    total_paused_ms: z.optional(z.number()),
    error: z.optional(z.string()),
    is_backgrounded: z.optional(z.boolean()),
  }),
}).register(protocol, {
  id: 'SDKTaskUpdatedMessage',
  description: 'Some members of a task have changed. This message may be the only report that a task has ended.',
});

export const taskProgressMessage = systemMessage('task_progress', {
  ...ofCall,
  description: z.string().check(z.describe('What the task is doing now.')),
  subagent_type: subagentType,
  usage,
  last_tool_name: z.optional(z.string()),
  summary: z.optional(z.string()).check(z.describe('One line about the progress of the task, for display.')),
}).register(protocol, { id: 'SDKTaskProgressMessage', description: 'The progress of a task.' });

export const taskNotificationMessage = systemMessage('task_notification', {
  ...ofCall,
  status: openEnum(['completed', 'failed', 'stopped']).check(
    z.describe('How the task ended. If the status is `stopped` in this message, it is `killed` in the `task_updated` of the same task.'),
  ),
  reason: z.optional(openEnum(['worker_restart'])).check(z.describe('Why the task ended. Present only if a restart of the worker ended the task.')),
  output_file: z.string().check(z.describe('The path of the file with the output of the task. Empty if the task has no such file.')),
  summary: z.string().check(z.describe('The outcome of the task, in words.')),
  summary_is_report: z.optional(z.boolean()),
  usage: z.optional(usage),
  resource_links: z.optional(z.array(mcpResourceLink)).check(z.describe('The files that a background call to an MCP tool returned, at most 50.')),
  ...howItIsShown,
}).register(protocol, { id: 'SDKTaskNotificationMessage', description: 'A task ended.' });

export const backgroundTasksChangedMessage = systemMessage('background_tasks_changed', {
  tasks: z.array(
    openObject({ ...ofRun, task_type: z.string().check(taskType), subagent_type: subagentType, description: z.string(), parent_task_id: parentTask, ambient }),
  ),
}).register(protocol, { id: 'SDKBackgroundTasksChangedMessage', description: 'The background tasks have changed. `tasks` is the complete new list.' });
