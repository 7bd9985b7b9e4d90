import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { protocol } from './open.ts';

export const toolProgressMessage = agentMessage('tool_progress', {
  tool_use_id: z.string(),
  tool_name: z.string(),
  parent_tool_use_id: z.nullable(z.string()),
  elapsed_time_seconds: z.number(),
  task_id: z.optional(z.string()),
  heartbeat: z.optional(z.boolean()),
  subagent_type: z.optional(z.string()),
  subagent_retry: z.optional(
    z.looseObject({
      agent_id: z.string(),
      attempt: z.number(),
      max_retries: z.number(),
      retry_delay_ms: z.number(),
      error_status: z.nullable(z.number()),
      error_category: z.string(),
    }),
  ),
}).register(protocol, {
  id: 'SDKToolProgressMessage',
  description: 'A tool is still running; also a sign of life while a hook of the host is awaited.',
});

export const toolUseSummaryMessage = agentMessage('tool_use_summary', {
  summary: z.string(),
  preceding_tool_use_ids: z.array(z.string()),
}).register(protocol, { id: 'SDKToolUseSummaryMessage', description: 'A summary of tool calls that went before.' });
