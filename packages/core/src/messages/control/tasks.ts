import { object, optional } from '../object-schema.ts';
import { boolean, type Infer, lazy, literal, number, string } from '../schema.ts';

/** Requests about tasks. */
export const taskRequests = {
  stop_task: lazy(() => object({ subtype: literal('stop_task'), task_id: string })),
  background_tasks: lazy(() => object({ subtype: literal('background_tasks'), tool_use_id: optional(string) })),
  get_task_output: lazy(() => object({ subtype: literal('get_task_output'), task_id: string })),
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
  background_tasks: lazy(() => object({ backgrounded: optional(boolean) })),
  get_task_output: lazy(() => object({ output: string, total_bytes: number, truncated: boolean })),
};

/** Whether anything went to the background; read as true when missing. */
export type SDKControlBackgroundTasksResponse = Infer<typeof taskResponses.background_tasks>;

/** The end of what a task wrote. */
export type SDKControlGetTaskOutputResponse = Infer<typeof taskResponses.get_task_output>;
