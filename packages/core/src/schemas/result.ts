import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { fastModeDisabledReason, fastModeState } from './fast-mode.ts';
import { messageOrigin } from './origin.ts';
import { resultUsage } from './api-usage.ts';
import { modelUsage } from './model-usage.ts';
import { openEnum, protocol } from './open.ts';

export const permissionDenial = z
  .looseObject({
    tool_name: z.string(),
    tool_use_id: z.string(),
    tool_input: z.record(z.string(), z.unknown()),
  })
  .register(protocol, { id: 'SDKPermissionDenial', description: 'A tool call that was not allowed.' });

export const deferredToolUse = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  })
  .register(protocol, {
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

export const resultSuccess = agentMessage('result', {
  subtype: z.literal('success'),
  duration_ms: z.number(),
  duration_api_ms: z.number(),
  ttft_ms: z.optional(z.number()),
  ttft_stream_ms: z.optional(z.number()),
  time_to_request_ms: z.optional(z.number()),
  user_message_uuid: z.optional(z.string()),
  user_message_uuids: z.optional(z.array(z.string())),
  resume_reason: z.optional(z.string()),
  local_command: z.optional(z.string()),
  request_sent_wall_ms: z.optional(z.number()),
  first_content_frame_ms: z.optional(z.number()),
  first_stream_post_ms: z.optional(z.number()),
  first_stream_post_ack_ms: z.optional(z.number()),
  first_stream_post_queue_wait_ms: z.optional(z.number()),
  first_stream_post_queued_behind: z.optional(
    openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']),
  ),
  first_stream_post_wall_ms: z.optional(z.number()),
  first_text_post_ms: z.optional(z.number()),
  first_text_post_queue_wait_ms: z.optional(z.number()),
  first_text_post_queued_behind: z.optional(
    openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']),
  ),
  first_text_post_wall_ms: z.optional(z.number()),
  time_to_request_from_spawn_ms: z.optional(z.number()),
  warm_spare_claimed: z.optional(z.boolean()),
  time_origin_ms: z.optional(z.number()),
  is_error: z.boolean(),
  api_error_status: z.optional(z.nullable(z.number())),
  num_turns: z.number(),
  result: z.string(),
  stop_reason: z.nullable(z.string()),
  total_cost_usd: z.number(),
  usage: resultUsage,
  modelUsage: z.record(z.string(), modelUsage),
  permission_denials: z.array(permissionDenial),
  queued_turn_count: z.optional(z.number()),
  structured_output: z.optional(z.unknown()),
  deferred_tool_use: z.optional(deferredToolUse),
  terminal_reason: z.optional(terminalReason),
  result_index: z.optional(z.number()),
  credential_expires_at: z.optional(z.string()),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason),
  origin: z.optional(messageOrigin),
  // Seen, not declared.
  subagent_stats: z.optional(z.record(z.string(), z.unknown())),
  safety_stops: z.optional(z.number()),
  api_error_type: z.optional(z.string()),
  model_usage_since_last_result: z.optional(z.record(z.string(), modelUsage)),
  first_request_input_tokens: z.optional(z.number()),
  first_request_cache_read_input_tokens: z.optional(z.number()),
}).register(protocol, {
  id: 'SDKResultSuccess',
  description: 'The end of a turn that ran through. `is_error` tells an answer of the model from an API error.',
});

export const resultError = agentMessage('result', {
  subtype: z.enum([
    'error_during_execution',
    'error_max_turns',
    'error_max_budget_usd',
    'error_max_structured_output_retries',
  ]),
  duration_ms: z.number(),
  duration_api_ms: z.number(),
  is_error: z.boolean(),
  num_turns: z.number(),
  stop_reason: z.nullable(z.string()),
  total_cost_usd: z.number(),
  usage: resultUsage,
  modelUsage: z.record(z.string(), modelUsage),
  permission_denials: z.array(permissionDenial),
  queued_turn_count: z.optional(z.number()),
  errors: z.array(z.string()),
  startup_failure_reason: z.optional(startupFailureReason),
  invalid_config_file: z.optional(
    z.looseObject({
      path: z.string(),
      is_global: z.boolean(),
      backup_searched: z.boolean(),
      backup_path: z.optional(z.string()),
    }),
  ),
  user_message_uuid: z.optional(z.string()),
  user_message_uuids: z.optional(z.array(z.string())),
  resume_reason: z.optional(z.string()),
  terminal_reason: z.optional(terminalReason),
  result_index: z.optional(z.number()),
  credential_expires_at: z.optional(z.string()),
  fast_mode_state: z.optional(fastModeState),
  fast_mode_disabled_reason: z.optional(fastModeDisabledReason),
  origin: z.optional(messageOrigin),
  // Seen, not declared.
  subagent_stats: z.optional(z.record(z.string(), z.unknown())),
  safety_stops: z.optional(z.number()),
  model_usage_since_last_result: z.optional(z.record(z.string(), modelUsage)),
}).register(protocol, {
  id: 'SDKResultError',
  description: 'The end of a turn that was cut: interrupted, failed, or over a limit.',
});
