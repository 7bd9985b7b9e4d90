import { agentMessage } from './agent-message.ts';
import { apiMessage } from './api-message.ts';
import { contextUsage, usageReport } from './reports.ts';
import { optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, number, openEnum, string, unknown } from './schema.ts';
import { uuid } from './uuid.ts';

/** Schema of `SDKAssistantMessageError`. */
export const assistantError = lazy(() =>
  openEnum([
    'authentication_failed',
    'oauth_org_not_allowed',
    'account_on_hold',
    'verification_required',
    'billing_error',
    'rate_limit',
    'overloaded',
    'invalid_request',
    'model_not_found',
    'server_error',
    'unknown',
    'max_output_tokens',
    'cloud_credential_error',
  ]),
);

/** The kind of API error a made-up assistant message tells of. */
export type SDKAssistantMessageError = Infer<typeof assistantError>;

/** Schema of `SDKAssistantMessage`. */
export const assistantMessage = lazy(() =>
  agentMessage('assistant', {
    message: apiMessage,
    parent_tool_use_id: nullable(string),
    error: optional(assistantError),
    request_id: optional(string),
    user_message_uuid: optional(string),
    user_message_uuids: optional(array(string)),
    resume_reason: optional(string),
    resumed_from_incomplete_thinking: optional(literal(true)),
    supersedes: optional(array(uuid)),
    aborted: optional(literal(true)),
    agent_id: optional(string),
    subagent_type: optional(string),
    task_description: optional(string),
    timestamp: optional(string),
    context_usage: optional(contextUsage),
    usage_report: optional(usageReport),
    // Seen, not declared.
    is_api_error_message: optional(boolean),
    api_error_status: optional(number),
    api_error_type: optional(string),
    tool_use_meta: optional(array(unknown)),
    thinking_duration_ms: optional(number),
    thinking_display: optional(string),
  }),
);

/** One completed content block of the model; messages of one reply share `message.id`. */
export type SDKAssistantMessage = Infer<typeof assistantMessage>;
