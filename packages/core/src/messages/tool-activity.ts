import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `SDKToolProgressMessage`. */
export const toolProgressMessage = lazy(() =>
  agentMessage('tool_progress', {
    tool_use_id: z.string(),
    tool_name: z.string(),
    parent_tool_use_id: z.nullable(z.string()),
    elapsed_time_seconds: z.number(),
    task_id: optional(z.string()),
    heartbeat: optional(z.boolean()),
    subagent_type: optional(z.string()),
    subagent_retry: optional(
      object({
        agent_id: z.string(),
        attempt: z.number(),
        max_retries: z.number(),
        retry_delay_ms: z.number(),
        error_status: z.nullable(z.number()),
        error_category: z.string(),
      }),
    ),
  }),
);

/** A tool is still running; also a sign of life while a hook of the host is awaited. */
export type SDKToolProgressMessage = Infer<typeof toolProgressMessage>;

/** Schema of `SDKToolUseSummaryMessage`. */
export const toolUseSummaryMessage = lazy(() =>
  agentMessage('tool_use_summary', {
    summary: z.string(),
    preceding_tool_use_ids: z.array(z.string()),
  }),
);

/** A summary of tool calls that went before. */
export type SDKToolUseSummaryMessage = Infer<typeof toolUseSummaryMessage>;
