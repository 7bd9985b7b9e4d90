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
  { id: 'SDKAssistantMessageError', description: 'The kind of API error a made-up assistant message tells of.' },
);

export const assistantMessage = agentMessage('assistant', {
  message: apiMessage,
  parent_tool_use_id: parentToolUseId,
  error: z
    .optional(assistantError)
    .check(z.describe('Set where the agent made the message up to tell of a failed call of the model API; `message.model` is then `<synthetic>`.')),
  request_id: z.optional(z.string()).check(z.describe('The id of the request to the model API; not the `request_id` of a control request.')),
  ...promptsAnswered,
  resumed_from_incomplete_thinking: z
    .optional(z.literal(true))
    .check(z.describe('The turn was cut within a signed thinking block and goes on here; a history that is replayed must keep this member.')),
  supersedes: z.optional(z.array(uuid)).check(z.describe('The `uuid`s of earlier messages in whose place this one comes: delete those.')),
  aborted: z.optional(z.literal(true)).check(z.describe('An interrupt cut the reply: it has no stop reason, and its text may end within a word.')),
  ...fromSubagent,
  timestamp,
  context_usage: z.optional(contextUsage).check(z.describe('The report of `/context` as data, on the message that holds its text.')),
  usage_report: z.optional(usageReport).check(z.describe('The report of `/usage` as data, on the message that holds its text.')),
  // Seen, not declared.
  is_api_error_message: z.optional(z.boolean()).check(z.describe('True on a message that tells of a failed call of the model API, beside `error`.')),
  api_error_status: z.optional(z.number()).check(z.describe('The HTTP status of the failed call of the model API, such as 400.')),
  api_error: z.optional(z.string()).check(z.describe('The failed call of the model API, such as `connection_failed`.')),
  api_error_type: z.optional(z.string()).check(z.describe('The kind of the failure as the model API names it, such as `invalid_request_error`.')),
  tool_use_meta: z
    .optional(z.array(z.unknown()))
    .check(z.describe('How to show each call of an MCP tool in this message: its `id`, with names of the tool and its server.')),
  local_command_run: z.optional(openObject({ command: z.string(), args: z.string() })).check(z.describe('The slash command whose output this is.')),
  local_command_source: z.optional(z.string()).check(z.describe('What that command printed, as the transcript has it.')),
  thinking_duration_ms: z.optional(z.number()),
  thinking_display: z.optional(z.string()),
}).register(protocol, { id: 'SDKAssistantMessage', description: 'One completed content block of the model; messages of one reply share `message.id`.' });
