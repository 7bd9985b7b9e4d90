import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { apiMessage } from './api-message.ts';
import { contextUsage, usageReport } from './reports.ts';
import { type Infer, lazy, openEnum, optional } from './schema.ts';
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
    message: apiMessage(),
    parent_tool_use_id: z.nullable(z.string()),
    error: optional(assistantError()),
    request_id: optional(z.string()),
    user_message_uuid: optional(z.string()),
    user_message_uuids: optional(z.array(z.string())),
    resume_reason: optional(z.string()),
    resumed_from_incomplete_thinking: optional(z.literal(true)),
    supersedes: optional(z.array(uuid())),
    aborted: optional(z.literal(true)),
    agent_id: optional(z.string()),
    subagent_type: optional(z.string()),
    task_description: optional(z.string()),
    timestamp: optional(z.string()),
    context_usage: optional(contextUsage()),
    usage_report: optional(usageReport()),
    // Seen, not declared.
    is_api_error_message: optional(z.boolean()),
    api_error_status: optional(z.number()),
    api_error_type: optional(z.string()),
    tool_use_meta: optional(z.array(z.unknown())),
    thinking_duration_ms: optional(z.number()),
    thinking_display: optional(z.string()),
  }),
);

/** One completed content block of the model; messages of one reply share `message.id`. */
export type SDKAssistantMessage = Infer<typeof assistantMessage>;
