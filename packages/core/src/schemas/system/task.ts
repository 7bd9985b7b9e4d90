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
  annotations: z.optional(z.record(z.string(), z.unknown())).check(z.describe('For whom the file is and how much it matters, as MCP has it.')),
}).register(protocol, { id: 'SDKMcpResourceLink', description: 'A file that an MCP tool points to.' });

/** The members that identify a task and its run. */
const ofRun = {
  task_id: z.string().check(z.describe('The same in all messages about the task; that of a subagent is its `agent_id` too.')),
  run_id: z
    .optional(z.string())
    .check(z.describe('One run of the task: taken up again, a task keeps its `task_id` and gets a `run_id` that sorts behind the ones before.')),
};
const ofCall = { ...ofRun, tool_use_id: z.optional(z.string()).check(z.describe('The tool call that the task belongs to.')) };
const parentTask = z.optional(z.string()).check(z.describe('The task of the subagent that started this one.'));
const ambient = z.optional(z.boolean()).check(z.describe('True where the task is no sign of activity: show no session as busy because of it.'));
const howItIsShown = { skip_transcript: z.optional(z.boolean()).check(z.describe('True where the task is not to be shown within the conversation.')), ambient };
const usage = openObject({ total_tokens: z.number(), tool_uses: z.number(), duration_ms: z.number() });
const taskType = z.describe('Such as `local_agent`, `local_bash`, `local_workflow` or `mcp_task`; new kinds may come.');

export const taskStartedMessage = systemMessage('task_started', {
  ...ofCall,
  description: z.string(),
  subagent_type: subagentType,
  is_backgrounded: z.optional(z.boolean()).check(z.describe('True where the task runs in the background from its start.')),
  spawn_depth: z.optional(z.number()).check(z.describe('1 for a subagent of the main conversation, 2 for a subagent of that one, and so on.')),
  parent_task_id: parentTask,
  task_type: z.optional(z.string()).check(taskType),
  workflow_name: z.optional(z.string()).check(z.describe('Present only where the task is a workflow.')),
  prompt: z.optional(z.string()).check(z.describe('What the run was asked to do.')),
  ...howItIsShown,
}).register(protocol, { id: 'SDKTaskStartedMessage', description: 'A subagent, background shell, monitor or workflow was registered.' });

export const taskUpdatedMessage = systemMessage('task_updated', {
  ...ofRun,
  patch: openObject({
    status: z
      .optional(openEnum(['pending', 'running', 'completed', 'failed', 'killed', 'paused']))
      .check(z.describe('A task that is `killed` here is `stopped` in its `task_notification`.')),
    description: z.optional(z.string()),
    end_time: z.optional(z.number()).check(z.describe('When the task ended, in milliseconds since 1970.')),
    total_paused_ms: z.optional(z.number()),
    error: z.optional(z.string()),
    is_backgrounded: z.optional(z.boolean()),
  }),
}).register(protocol, { id: 'SDKTaskUpdatedMessage', description: 'Members of a task changed; its end may be told nowhere else.' });

export const taskProgressMessage = systemMessage('task_progress', {
  ...ofCall,
  description: z.string().check(z.describe('What the task is doing now.')),
  subagent_type: subagentType,
  usage,
  last_tool_name: z.optional(z.string()),
  summary: z.optional(z.string()).check(z.describe('One line on how far the task is, to show where it is present.')),
}).register(protocol, { id: 'SDKTaskProgressMessage', description: 'How far a task is.' });

export const taskNotificationMessage = systemMessage('task_notification', {
  ...ofCall,
  status: openEnum(['completed', 'failed', 'stopped']).check(z.describe('A task that is `stopped` here is `killed` in `task_updated`.')),
  reason: z.optional(openEnum(['worker_restart'])).check(z.describe('Present only where a restart of the worker ended the task.')),
  output_file: z.string().check(z.describe('The path of the file that holds the output; empty where there is none.')),
  summary: z.string().check(z.describe('What came of the task, in words.')),
  summary_is_report: z.optional(z.boolean()),
  usage: z.optional(usage),
  resource_links: z.optional(z.array(mcpResourceLink)).check(z.describe('The files that an MCP task in the background gave, at most 50.')),
  ...howItIsShown,
}).register(protocol, { id: 'SDKTaskNotificationMessage', description: 'A task ended.' });

export const backgroundTasksChangedMessage = systemMessage('background_tasks_changed', {
  tasks: z.array(
    openObject({ ...ofRun, task_type: z.string().check(taskType), subagent_type: subagentType, description: z.string(), parent_task_id: parentTask, ambient }),
  ),
}).register(protocol, { id: 'SDKBackgroundTasksChangedMessage', description: 'All tasks that live in the background now: replaces what was known.' });
