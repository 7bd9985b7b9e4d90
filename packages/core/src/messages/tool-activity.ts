import { agentMessage } from './agent-message.ts';
import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, nullable, number, string } from './schema.ts';

/** Schema of `SDKToolProgressMessage`. */
export const toolProgressMessage = lazy(() =>
  agentMessage('tool_progress', {
    tool_use_id: string,
    tool_name: string,
    parent_tool_use_id: nullable(string),
    elapsed_time_seconds: number,
    task_id: optional(string),
    heartbeat: optional(boolean),
    subagent_type: optional(string),
    subagent_retry: optional(
      object({
        agent_id: string,
        attempt: number,
        max_retries: number,
        retry_delay_ms: number,
        error_status: nullable(number),
        error_category: string,
      }),
    ),
  }),
);

/** A tool is still running; also a sign of life while a hook of the host is awaited. */
export type SDKToolProgressMessage = Infer<typeof toolProgressMessage>;

/** Schema of `SDKToolUseSummaryMessage`. */
export const toolUseSummaryMessage = lazy(() =>
  agentMessage('tool_use_summary', {
    summary: string,
    preceding_tool_use_ids: array(string),
  }),
);

/** A summary of tool calls that went before. */
export type SDKToolUseSummaryMessage = Infer<typeof toolUseSummaryMessage>;
