import * as z from 'zod/mini';
import { openObject, protocol, requestOf } from '../open.ts';

/** Requests about tasks. */
export const taskRequests = {
  stop_task: requestOf('stop_task', { task_id: z.string() }).register(protocol, {
    id: 'SDKControlStopTaskRequest',
    description: 'Stops a task. Also succeeds if the task has already ended.',
  }),
  background_tasks: requestOf('background_tasks', {
    tool_use_id: z.optional(z.string()).check(z.describe('The id of the tool call whose task should move. If absent, all running tasks are moved.')),
  }).register(protocol, {
    id: 'SDKControlBackgroundTasksRequest',
    description: 'Moves running tasks to the background: all tasks, or the task of one tool call.',
  }),
  get_task_output: requestOf('get_task_output', { task_id: z.string() }).register(protocol, {
    id: 'SDKControlGetTaskOutputRequest',
    description: "Asks for the last part of a task's output.",
  }),
};

/** The payloads of the answers to these requests. */
export const taskResponses = {
  stop_task: openObject({}),
  background_tasks: openObject({ backgrounded: z.optional(z.boolean()) }).register(protocol, {
    id: 'SDKControlBackgroundTasksResponse',
    description: 'Whether a task was moved to the background. If `backgrounded` is absent, assume true.',
  }),
  get_task_output: openObject({
    output: z.string().check(z.describe('The last part of the output, at most 8 KiB.')),
    total_bytes: z.number().check(z.describe('How many bytes the task has written so far.')),
    truncated: z.boolean().check(z.describe("Whether `output` lacks the beginning of the task's output.")),
  }).register(protocol, { id: 'SDKControlGetTaskOutputResponse', description: "The last part of a task's output." }),
};
