import * as z from 'zod/mini';
import { agentMessage, messageOrigin, promptsAnswered } from './message-members.ts';
import { fastModeDisabledReason, fastModeState } from './system/init.ts';
import { resultUsage } from './api-message.ts';
import { modelUsage } from './usage.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const permissionDenial = openObject({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.record(z.string(), z.unknown()) }).register(
  protocol,
  { id: 'SDKPermissionDenial', description: 'A tool call that was not allowed.' },
);

export const deferredToolUse = openObject({ id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }).register(protocol, {
  id: 'SDKDeferredToolUse',
  description: 'A tool call that a hook put off: the turn ended before it ran.',
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
  { id: 'TerminalReason', description: 'Why the loop of the turn ended.' },
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
  ],
  { id: 'SDKStartupFailureReason', description: 'Why the agent refused to start.' },
);

/** The members that say the same on both kinds of result. */
const ofResult = {
  duration_ms: z.number().check(z.describe('Milliseconds by the clock, of this turn alone.')),
  duration_api_ms: z.number().check(z.describe('Milliseconds spent in calls of the model API, summed up over the process.')),
  num_turns: z
    .number()
    .check(z.describe('The rounds of the turn: its prompt, and each user message behind it, such as a tool result; 0 where no model was asked.')),
  total_cost_usd: z.number().check(z.describe('US dollars, summed up over the process, or since `/clear`; not those of the turn alone.')),
  usage: resultUsage,
  modelUsage: z.record(z.string(), modelUsage).check(z.describe('The figures of each model by name, summed up over the process; those to keep accounts with.')),
  permission_denials: z
    .array(permissionDenial)
    .check(z.describe('All calls of the turn that were not allowed; rely on this list and not on `permission_denied` messages.')),
  queued_turn_count: z.optional(z.number()).check(z.describe('Above 0, another turn follows without further input.')),
  terminal_reason: z.optional(terminalReason).check(z.describe('Absent where a slash command answered the prompt by itself.')),
  result_index: z.optional(z.number()).check(z.describe('Counts the results of the process from 0, so that a gap shows a lost one.')),
  credential_expires_at: z.optional(z.string()).check(z.describe('When the login ends, in ISO 8601; absent where that is not known.')),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason).check(z.describe('Absent where nothing keeps fast mode from serving.')),
  origin: z.optional(messageOrigin).check(z.describe('Who the prompt of the turn came from; not known where absent.')),
  ...promptsAnswered,
  // Seen, not declared.
  safety_stops: z.optional(z.number()),
  begun_message_ids: z.optional(z.array(z.string())).check(z.describe('The `message.id` of each reply that the turn began.')),
  subagent_stats: z.optional(z.record(z.string(), z.unknown())).check(z.describe('How many subagents were asked for, refused and started, and their ends.')),
  model_usage_since_last_result: z.optional(z.record(z.string(), modelUsage)).check(z.describe('Like `modelUsage`, counted from the result before this one.')),
};

export const resultSuccess = agentMessage('result', {
  subtype: z.literal('success'),
  ...ofResult,
  ttft_ms: z
    .optional(z.number())
    .check(z.describe('Milliseconds from the start of the turn to the first token; may be later than `ttft_stream_ms` where the reply streams.')),
  ttft_stream_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn to the first event of the stream of the reply.')),
  time_to_request_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn until the request to the model API left.')),
  local_command: z.optional(z.string()).check(z.describe('The slash command that answered the prompt by itself, such as `clear`.')),
  request_sent_wall_ms: z.optional(z.number()).check(z.describe('When the request to the model API left, in milliseconds since 1970.')),
  first_content_frame_ms: z.optional(z.number()).check(z.describe('Milliseconds from the start of the turn to the first content of the reply.')),
  first_stream_post_ms: z.optional(z.number()).check(z.describe('Only in remote sessions: milliseconds until the first stream event was posted.')),
  first_stream_post_ack_ms: z.optional(z.number()).check(z.describe('Only in remote sessions: milliseconds until the first event was acknowledged.')),
  first_stream_post_queue_wait_ms: z.optional(z.number()).check(z.describe('Only in remote sessions: milliseconds that the first event waited to be posted.')),
  first_stream_post_queued_behind: z
    .optional(openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']))
    .check(z.describe('Only in remote sessions: what the post of the first stream event waited for.')),
  first_stream_post_wall_ms: z.optional(z.number()),
  first_text_post_ms: z.optional(z.number()).check(z.describe('Only in remote sessions: milliseconds until the first text was posted.')),
  first_text_post_queue_wait_ms: z.optional(z.number()).check(z.describe('Only in remote sessions: milliseconds that the first text waited to be posted.')),
  first_text_post_queued_behind: z
    .optional(openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']))
    .check(z.describe('Only in remote sessions: what the post of the first text waited for.')),
  first_text_post_wall_ms: z.optional(z.number()),
  time_to_request_from_spawn_ms: z.optional(z.number()).check(z.describe('Like `time_to_request_ms`, counted from the start of the process.')),
  warm_spare_claimed: z.optional(z.boolean()).check(z.describe('Whether the process was started ahead of time, before it was needed.')),
  time_origin_ms: z.optional(z.number()).check(z.describe('Where the clock begins by which the times of this result are counted.')),
  is_error: z.boolean().check(z.describe('True where the turn ended on an error, such as one of the model API; `result` then holds its text.')),
  api_error_status: z
    .optional(z.nullable(z.number()))
    .check(z.describe('The HTTP status of the failed call of the model API, such as 429; null or absent where none failed.')),
  result: z.string().check(z.describe('The last text of the model, or the text of the error where `is_error` is true.')),
  stop_reason: z
    .nullable(z.string())
    .check(z.describe('The stop reason of the last reply, or one of the agent such as `tool_deferred`; null without a reply.')),
  structured_output: z.optional(z.unknown()).check(z.describe('The answer as a value of the JSON Schema that the host gave; absent where it gave none.')),
  deferred_tool_use: z.optional(deferredToolUse).check(z.describe('Present only where `terminal_reason` is `tool_deferred`.')),
  // Seen, not declared.
  api_error: z.optional(z.string()).check(z.describe('The failed call of the model API, such as `connection_failed`.')),
  api_error_type: z.optional(z.string()).check(z.describe('The kind of failure as the model API names it, such as `invalid_request_error`.')),
  first_request_input_tokens: z.optional(z.number()),
  first_request_cache_read_input_tokens: z.optional(z.number()),
}).register(protocol, {
  id: 'SDKResultSuccess',
  description: 'The end of a turn that ran through. `is_error` tells an answer of the model from an API error.',
});

export const resultError = agentMessage('result', {
  subtype: z.enum(['error_during_execution', 'error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries']),
  ...ofResult,
  is_error: z.boolean().check(z.describe('True in every result of this kind.')),
  stop_reason: z.nullable(z.string()).check(z.describe('The stop reason of the last reply; null where there is none.')),
  errors: z.array(z.string()).check(z.describe('What went wrong, for people to read; an interrupt gives one line.')),
  startup_failure_reason: z.optional(startupFailureReason).check(z.describe('Present only where the agent refused to start; all figures are then zero.')),
  invalid_config_file: z
    .optional(openObject({ path: z.string(), is_global: z.boolean(), backup_searched: z.boolean(), backup_path: z.optional(z.string()) }))
    .check(z.describe('Present only with the startup failure `config_file_invalid`.')),
}).register(protocol, { id: 'SDKResultError', description: 'The end of a turn that was cut: interrupted, failed, or over a limit.' });
