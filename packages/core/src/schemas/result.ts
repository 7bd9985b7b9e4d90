import * as z from 'zod/mini';
import { agentMessage, messageOrigin, promptsAnswered } from './message-members.ts';
import { fastModeDisabledReason, fastModeState } from './system/init.ts';
import { resultUsage } from './api-message.ts';
import { modelUsage } from './usage.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const permissionDenial = openObject({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) }).register(
  protocol,
  { id: 'SDKPermissionDenial', description: 'A tool call that was denied.' },
);

export const deferredToolUse = openObject({ id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }).register(protocol, {
  id: 'SDKDeferredToolUse',
  description: 'A tool call that a hook deferred. The turn ended before the tool ran.',
});

export const terminalReason = openEnum(
  [
    'blocking_limit',
    'rapid_refill_breaker',
    'prompt_too_long',
    'image_error',
    'model_error',
    'api_error',
    'malformed_tool_use_exhausted',
    'aborted_streaming',
    'aborted_tools',
    'stop_hook_prevented',
    'hook_stopped',
    'tool_deferred',
    'max_turns',
    'background_requested',
    'completed',
    'budget_exhausted',
    'structured_output_retry_exhausted',
    'tool_deferred_unavailable',
    'turn_setup_failed',
  ],
  { id: 'TerminalReason', description: 'Why the turn ended.' },
);

export const startupFailureReason = openEnum(
  [
    'org_pin_api_key_conflict',
    'provider_not_allowed',
    'org_verify_failed',
    'org_pin_mismatch',
    'managed_settings_invalid',
    'remote_settings_required_unavailable',
    'gateway_signin_required',
    'gateway_access_denied',
    'proxy_invalid',
    'temp_dir_unusable',
    'cwd_unavailable',
    'shell_tool_missing',
    'session_held_by_background',
    'worktree_resume_refused',
    'worktree_unverified',
    'cli_version_too_old',
    'bypass_root',
    'org_config_required_unavailable',
    'org_config_refused',
    'sandbox_required_unavailable',
    'initialize_not_first',
    'config_file_invalid',
    'managed_settings_not_delivered',
    'initialize_fields_not_delivered',
    'sideload_flags_disabled',
  ],
  { id: 'SDKStartupFailureReason', description: 'Why the agent refused to start.' },
);

const ofResult = {
  duration_ms: z.number().check(z.describe('The duration of this turn, in milliseconds of real time.')),
  duration_api_ms: z.number().check(z.describe('Milliseconds spent in calls to the model API, summed up since the agent process started.')),
  num_turns: z
    .number()
    .check(
      z.describe(
        'The number of rounds in the turn. The prompt counts as one round, and so does each later user message, such as a tool result. 0 if no model was called.',
      ),
    ),
  total_cost_usd: z.number().check(z.describe('The cost in US dollars since the agent process started or since `/clear`, including earlier turns.')),
  usage: resultUsage,
  modelUsage: z
    .record(z.string(), modelUsage)
    .check(z.describe('The usage of each model, by its name, summed up since the agent process started. Use these figures for accounting.')),
  permission_denials: z
    .array(permissionDenial)
    .check(z.describe('All tool calls of the turn that were denied. Rely on this list, not on `permission_denied` messages.')),
  queued_turn_count: z.optional(z.number()).check(z.describe('The number of queued turns. If it is above 0, another turn follows without further input.')),
  terminal_reason: z.optional(terminalReason).check(z.describe('Why the turn ended. Absent if a slash command answered the prompt without the model.')),
  result_index: z
    .optional(z.number())
    .check(z.describe('The number of this result, counted from 0 since the agent process started. A gap means that a result was lost.')),
  credential_expires_at: z.optional(z.string()).check(z.describe('When the login expires, in ISO 8601. Absent if the time is not known.')),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Why fast mode is not available. Absent if nothing prevents it.')),
  origin: z.optional(messageOrigin).check(z.describe('Who sent the prompt of the turn. If absent, the sender is unknown.')),
  ...promptsAnswered,
  // Seen on the wire, not declared by the published SDK.
  safety_stops: z.optional(z.number()),
  begun_message_ids: z.optional(z.array(z.string())).check(z.describe('The `message.id` of each reply that began during the turn.')),
  subagent_stats: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('How many subagents were requested, refused and started, and how they ended.')),
  model_usage_since_last_result: z.optional(z.record(z.string(), modelUsage)).check(z.describe('Like `modelUsage`, but summed up since the previous result.')),
};

export const resultSuccess = agentMessage('result', {
  subtype: z.literal('success'),
  ...ofResult,
  ttft_ms: z
    .optional(z.number())
    .check(z.describe('Milliseconds from the start of the turn to the first token. May be greater than `ttft_stream_ms` if the reply is streamed.')),
  ttft_stream_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn to the first stream event of the reply.')),
  time_to_request_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn until the request to the model API was sent.')),
  local_command: z.optional(z.string()).check(z.describe('The slash command that answered the prompt without the model, such as `clear`.')),
  request_sent_wall_ms: z.optional(z.number()).check(z.describe('When the request to the model API was sent, in milliseconds since 1970.')),
  first_content_frame_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn to the first content of the reply.')),
  first_stream_post_ms: z
    .optional(z.number())
    .check(
      z.describe("Milliseconds until the agent sent the first stream event of the turn to the session's server with POST. Present only in remote sessions."),
    ),
  first_stream_post_ack_ms: z
    .optional(z.number())
    .check(z.describe('Milliseconds until the server had answered the POST with the first stream event of the turn. Present only in remote sessions.')),
  first_stream_post_queue_wait_ms: z
    .optional(z.number())
    .check(z.describe('Milliseconds that the first stream event of the turn waited before it was sent with POST. Present only in remote sessions.')),
  first_stream_post_queued_behind: z
    .optional(openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']))
    .check(z.describe('What delayed the POST with the first stream event of the turn. Present only in remote sessions.')),
  first_stream_post_wall_ms: z
    .optional(z.number())
    .check(z.describe('When the first stream event of the turn was sent with POST, in milliseconds since 1970. Present only in remote sessions.')),
  first_text_post_ms: z
    .optional(z.number())
    .check(z.describe("Milliseconds until the agent sent the first text of the turn to the session's server with POST. Present only in remote sessions.")),
  first_text_post_queue_wait_ms: z
    .optional(z.number())
    .check(z.describe('Milliseconds that the first text of the turn waited before it was sent with POST. Present only in remote sessions.')),
  first_text_post_queued_behind: z
    .optional(openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']))
    .check(z.describe('What delayed the POST with the first text of the turn. Present only in remote sessions.')),
  first_text_post_wall_ms: z
    .optional(z.number())
    .check(z.describe('When the first text of the turn was sent with POST, in milliseconds since 1970. Present only in remote sessions.')),
  time_to_request_from_spawn_ms: z.optional(z.number()).check(z.describe('Like `time_to_request_ms`, but counted from the start of the process.')),
  warm_spare_claimed: z.optional(z.boolean()).check(z.describe('Whether the process had been started in advance, before it was needed.')),
  time_origin_ms: z.optional(z.number()).check(z.describe('The origin of the clock that measured the times of this result.')),
  is_error: z
    .boolean()
    .check(z.describe('True if the turn ended with an error, for example an error of the model API. In this case, `result` contains the text of the error.')),
  api_error_status: z
    .optional(z.nullable(z.number()))
    .check(z.describe('The HTTP status of the failed call to the model API, such as 429. `null` or absent if no call failed.')),
  result: z.string().check(z.describe("The model's last text, or the text of the error if `is_error` is `true`.")),
  stop_reason: z
    .nullable(z.string())
    .check(z.describe('The stop reason of the last reply, or a reason that the agent chose, such as `tool_deferred`. `null` if the model did not reply.')),
  structured_output: z
    .optional(z.unknown())
    .check(z.describe("The answer as a value that satisfies the host's JSON Schema. Absent if the host gave no schema.")),
  deferred_tool_use: z.optional(deferredToolUse).check(z.describe('The tool call that a hook deferred. Present only if `terminal_reason` is `tool_deferred`.')),
  // Seen on the wire, not declared by the published SDK.
  api_error: z.optional(z.string()).check(z.describe('How the call to the model API failed, such as `connection_failed`.')),
  api_error_type: z.optional(z.string()).check(z.describe('The kind of failure, as named by the model API, such as `invalid_request_error`.')),
  first_request_input_tokens: z.optional(z.number()),
  first_request_cache_read_input_tokens: z.optional(z.number()),
}).register(protocol, {
  id: 'SDKResultSuccess',
  description: "The end of a turn that was not cut off. `is_error` says whether `result` is the model's answer or an error.",
});

export const resultError = agentMessage('result', {
  subtype: z.enum(['error_during_execution', 'error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries']),
  ...ofResult,
  is_error: z.boolean().check(z.describe('Whether the turn ended with an error. Always true in a result of this kind.')),
  stop_reason: z.nullable(z.string()).check(z.describe('The stop reason of the last reply. `null` if the model did not reply.')),
  errors: z.array(z.string()).check(z.describe('Describes what went wrong, as texts for people. After an interrupt, the list contains one text.')),
  startup_failure_reason: z
    .optional(startupFailureReason)
    .check(z.describe('Why the agent refused to start. Present only if the agent refused to start. In this case, all figures in the result are zero.')),
  invalid_config_file: z
    .optional(openObject({ path: z.string(), is_global: z.boolean(), backup_searched: z.boolean(), backup_path: z.optional(z.string()) }))
    .check(z.describe('The invalid configuration file. Present only with the startup failure `config_file_invalid`.')),
}).register(protocol, {
  id: 'SDKResultError',
  description: 'The end of a turn that was cut off, because the turn was interrupted, failed, or exceeded a limit.',
});
