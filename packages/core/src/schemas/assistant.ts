import * as z from 'zod/mini';
import { agentMessage, fromSubagent, parentToolUseId, promptsAnswered, timestamp, uuid } from './message-members.ts';
import { apiMessage } from './api-message.ts';
import { contextUsage, usageReport } from './usage.ts';
import { openEnum, openObject, protocol } from './open.ts';

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
  { id: 'SDKAssistantMessageError', description: 'The kind of API error that a synthetic assistant message reports.' },
);

export const assistantMessage = agentMessage('assistant', {
  message: apiMessage,
  parent_tool_use_id: parentToolUseId,
  error: z
    .optional(assistantError)
    .check(
      z.describe(
        'The kind of error, if the agent itself wrote this message to report a failed call to the model API. In this case, `message.model` is `<synthetic>`.',
      ),
    ),
  request_id: z.optional(z.string()).check(z.describe('The id of the request to the model API, which is unrelated to the `request_id` of a control request.')),
  ...promptsAnswered,
  resumed_from_incomplete_thinking: z
    .optional(z.literal(true))
    .check(
      z.describe('True if the turn was cut off within a signed thinking block and continues with this message. Keep this member when you replay the history.'),
    ),
  supersedes: z.optional(z.array(uuid)).check(z.describe('The `uuid`s of earlier messages that this message replaces. Delete those messages.')),
  aborted: z
    .optional(z.literal(true))
    .check(z.describe('True if an interrupt cut the reply off. Such a reply has no stop reason, and its text may end within a word.')),
  ...fromSubagent,
  timestamp,
  context_usage: z.optional(contextUsage).check(z.describe('The `/context` report as data. Present only on the message that contains the report as text.')),
  usage_report: z.optional(usageReport).check(z.describe('The `/usage` report as data. Present only on the message that contains the report as text.')),
  // Seen on the wire, not declared by the published SDK.
  is_api_error_message: z.optional(z.boolean()).check(z.describe('True if the message reports a failed call to the model API. Sent together with `error`.')),
  api_error_status: z.optional(z.number()).check(z.describe('The HTTP status of the failed call to the model API, such as 400.')),
  api_error: z.optional(z.string()).check(z.describe('How the call to the model API failed, such as `connection_failed`.')),
  api_error_type: z.optional(z.string()).check(z.describe('The kind of failure, as named by the model API, such as `invalid_request_error`.')),
  tool_use_meta: z
    .optional(z.array(z.unknown()))
    .check(z.describe('How to display each MCP tool call in this message: the `id` of the call, and names for the tool and its server.')),
  local_command_run: z
    .optional(openObject({ command: z.string(), args: z.string() }))
    .check(z.describe('The slash command whose output this message contains.')),
  local_command_source: z.optional(z.string()).check(z.describe('The output of the slash command, as written in the transcript.')),
  thinking_duration_ms: z.optional(z.number()),
  thinking_display: z.optional(z.string()),
}).register(protocol, {
  id: 'SDKAssistantMessage',
  description: 'One completed content block of a model reply. All messages of one reply have the same `message.id`.',
});
