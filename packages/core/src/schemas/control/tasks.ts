import * as z from 'zod/mini';
import { openObject, protocol, requestOf } from '../open.ts';

/** Requests about tasks. */
export const taskRequests = {
  stop_task: requestOf('stop_task', { task_id: z.string() }).register(protocol, {
    id: 'SDKControlStopTaskRequest',
    description: 'Stops a task; one that has ended already is a success too.',
  }),
  background_tasks: requestOf('background_tasks', {
    tool_use_id: z.optional(z.string()).check(z.describe('The tool call whose task is meant; all of them where it is absent.')),
  }).register(protocol, { id: 'SDKControlBackgroundTasksRequest', description: 'Lets running tasks go on in the background: all, or one.' }),
  get_task_output: requestOf('get_task_output', { task_id: z.string() }).register(protocol, {
    id: 'SDKControlGetTaskOutputRequest',
    description: 'Asks for the end of what a task wrote.',
  }),
};

/** The payloads of their answers. */
export const taskResponses = {
  stop_task: openObject({}),
  background_tasks: openObject({ backgrounded: z.optional(z.boolean()) }).register(protocol, {
    id: 'SDKControlBackgroundTasksResponse',
    description: 'Whether anything went to the background; read as true when missing.',
  }),
  get_task_output: openObject({
    output: z.string().check(z.describe('The last 8 KiB at most.')),
    total_bytes: z.number().check(z.describe('How much the task has written so far.')),
    truncated: z.boolean().check(z.describe('Whether the beginning is missing in `output`.')),
  }).register(protocol, { id: 'SDKControlGetTaskOutputResponse', description: 'The end of what a task wrote.' }),
};
