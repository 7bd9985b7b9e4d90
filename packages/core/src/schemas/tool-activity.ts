import * as z from 'zod/mini';
import { agentMessage, subagentType } from './message-members.ts';
import { openObject, protocol } from './open.ts';

const retry = openObject({
  agent_id: z.string().check(z.describe('The id of the subagent that waits for the retry.')),
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number().check(z.describe('Milliseconds from the failure to the retry.')),
  error_status: z.nullable(z.number()).check(z.describe('The HTTP status of the failure. `null` if no response arrived.')),
  error_category: z.string(),
});

export const toolProgressMessage = agentMessage('tool_progress', {
  tool_use_id: z.string().check(z.describe('The id of the tool call. In a heartbeat that is sent while a hook runs, the id does not belong to any call.')),
  tool_name: z.string(),
  parent_tool_use_id: z
    .nullable(z.string())
    .check(z.describe('The id of the tool call that the subagent works for, or of the tool call whose hook is running. `null` in the main conversation.')),
  elapsed_time_seconds: z.number(),
  task_id: z.optional(z.string()).check(z.describe('The id of the task, if the tool runs as a task.')),
  heartbeat: z.optional(z.boolean()).check(z.describe('True if the message only shows that the agent is alive, for example while a hook of the host runs.')),
  subagent_type: subagentType,
  subagent_retry: z.optional(retry).check(z.describe('Present while a subagent waits to retry a failed call to the model API.')),
}).register(protocol, { id: 'SDKToolProgressMessage', description: 'A tool is still running. Also sent as a heartbeat while a hook of the host runs.' });

export const toolUseSummaryMessage = agentMessage('tool_use_summary', {
  summary: z.string(),
  preceding_tool_use_ids: z.array(z.string()).check(z.describe('The ids of the tool calls that the summary covers.')),
}).register(protocol, { id: 'SDKToolUseSummaryMessage', description: 'A summary of earlier tool calls.' });
