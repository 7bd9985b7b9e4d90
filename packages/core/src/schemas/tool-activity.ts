import * as z from 'zod/mini';
import { agentMessage, subagentType } from './message-members.ts';
import { openObject, protocol } from './open.ts';

const retry = openObject({
  agent_id: z.string().check(z.describe('The subagent that waits.')),
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number().check(z.describe('Milliseconds from the failure to the next try.')),
  error_status: z.nullable(z.number()).check(z.describe('The HTTP status of the failure; null where there was no response.')),
  error_category: z.string(),
});

export const toolProgressMessage = agentMessage('tool_progress', {
  tool_use_id: z.string().check(z.describe('The call of the tool; in a heartbeat sent while a hook is awaited, an id that no call has.')),
  tool_name: z.string(),
  parent_tool_use_id: z
    .nullable(z.string())
    .check(z.describe('The call of the tool that the subagent works for, or the one whose hook is awaited; null in the main conversation.')),
  elapsed_time_seconds: z.number(),
  task_id: z.optional(z.string()).check(z.describe('Set where the tool runs as a task.')),
  heartbeat: z.optional(z.boolean()).check(z.describe('True for a mere sign of life, as while a hook of the host is awaited.')),
  subagent_type: subagentType,
  subagent_retry: z.optional(retry).check(z.describe('Present while a subagent waits to try a failed call of the model API again.')),
}).register(protocol, { id: 'SDKToolProgressMessage', description: 'A tool is still running; also a sign of life while a hook of the host is awaited.' });

export const toolUseSummaryMessage = agentMessage('tool_use_summary', {
  summary: z.string(),
  preceding_tool_use_ids: z.array(z.string()).check(z.describe('The calls that the summary is about.')),
}).register(protocol, { id: 'SDKToolUseSummaryMessage', description: 'A summary of tool calls that went before.' });
