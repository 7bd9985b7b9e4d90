import * as z from 'zod/mini';
import { type Infer, lazy, object, optional } from '../schema.ts';

/** Requests about tasks. */
export const taskRequests = {
  stop_task: lazy(() => object({ subtype: z.literal('stop_task'), task_id: z.string() })),
  background_tasks: lazy(() => object({ subtype: z.literal('background_tasks'), tool_use_id: optional(z.string()) })),
  get_task_output: lazy(() => object({ subtype: z.literal('get_task_output'), task_id: z.string() })),
};

/** Stops a task; one that has ended already is a success too. */
export type SDKControlStopTaskRequest = Infer<typeof taskRequests.stop_task>;

/** Lets running tasks go on in the background: all, or one. */
export type SDKControlBackgroundTasksRequest = Infer<typeof taskRequests.background_tasks>;

/** Asks for the end of what a task wrote. */
export type SDKControlGetTaskOutputRequest = Infer<typeof taskRequests.get_task_output>;

/** The payloads of their answers. */
export const taskResponses = {
  stop_task: lazy(() => object({})),
  background_tasks: lazy(() => object({ backgrounded: optional(z.boolean()) })),
  get_task_output: lazy(() => object({ output: z.string(), total_bytes: z.number(), truncated: z.boolean() })),
};

/** Whether anything went to the background; read as true when missing. */
export type SDKControlBackgroundTasksResponse = Infer<typeof taskResponses.background_tasks>;

/** The end of what a task wrote. */
export type SDKControlGetTaskOutputResponse = Infer<typeof taskResponses.get_task_output>;
