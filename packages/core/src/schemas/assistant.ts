import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { apiMessage } from './api-message.ts';
import { contextUsage, usageReport } from './reports.ts';
import { uuid } from './uuid.ts';
import { openEnum, protocol } from './open.ts';

export const assistantError = openEnum(
  [
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
  ],
  { id: 'SDKAssistantMessageError', description: 'The kind of API error a made-up assistant message tells of.' },
);

export const assistantMessage = agentMessage('assistant', {
  message: apiMessage,
  parent_tool_use_id: z.nullable(z.string()),
  error: z.optional(assistantError),
  request_id: z.optional(z.string()),
  user_message_uuid: z.optional(z.string()),
  user_message_uuids: z.optional(z.array(z.string())),
  resume_reason: z.optional(z.string()),
  resumed_from_incomplete_thinking: z.optional(z.literal(true)),
  supersedes: z.optional(z.array(uuid)),
  aborted: z.optional(z.literal(true)),
  agent_id: z.optional(z.string()),
  subagent_type: z.optional(z.string()),
  task_description: z.optional(z.string()),
  timestamp: z.optional(z.string()),
  context_usage: z.optional(contextUsage),
  usage_report: z.optional(usageReport),
  // Seen, not declared.
  is_api_error_message: z.optional(z.boolean()),
  api_error_status: z.optional(z.number()),
  api_error_type: z.optional(z.string()),
  tool_use_meta: z.optional(z.array(z.unknown())),
  thinking_duration_ms: z.optional(z.number()),
  thinking_display: z.optional(z.string()),
}).register(protocol, {
  id: 'SDKAssistantMessage',
  description: 'One completed content block of the model; messages of one reply share `message.id`.',
});
