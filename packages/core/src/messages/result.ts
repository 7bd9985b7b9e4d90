import { agentMessage } from './agent-message.ts';
import { fastModeDisabledReason, fastModeState } from './fast-mode.ts';
import { messageOrigin } from './origin.ts';
import { object, optional } from './object-schema.ts';
import {
  array,
  boolean,
  type Infer,
  lazy,
  literal,
  nullable,
  number,
  oneOf,
  openEnum,
  record,
  string,
  unknown,
} from './schema.ts';
import { resultUsage } from './api-usage.ts';
import { modelUsage } from './model-usage.ts';

/** Schema of `SDKPermissionDenial`. */
export const permissionDenial = lazy(() =>
  object({
    tool_name: string,
    tool_use_id: string,
    tool_input: record(unknown),
  }),
);

/** A tool call that was not allowed. */
export type SDKPermissionDenial = Infer<typeof permissionDenial>;

/** Schema of `SDKDeferredToolUse`. */
export const deferredToolUse = lazy(() =>
  object({
    id: string,
    name: string,
    input: record(unknown),
  }),
);

/** A tool call that a hook put off: the turn ended before it ran. */
export type SDKDeferredToolUse = Infer<typeof deferredToolUse>;

/** Schema of `TerminalReason`. */
export const terminalReason = lazy(() =>
  openEnum([
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
  ]),
);

/** Why the loop of the turn ended. */
export type TerminalReason = Infer<typeof terminalReason>;

/** Schema of `SDKStartupFailureReason`. */
export const startupFailureReason = lazy(() =>
  openEnum([
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
  ]),
);

/** Why the agent refused to start. */
export type SDKStartupFailureReason = Infer<typeof startupFailureReason>;

/** Schema of `SDKResultSuccess`. */
export const resultSuccess = lazy(() =>
  agentMessage('result', {
    subtype: literal('success'),
    duration_ms: number,
    duration_api_ms: number,
    ttft_ms: optional(number),
    ttft_stream_ms: optional(number),
    time_to_request_ms: optional(number),
    user_message_uuid: optional(string),
    user_message_uuids: optional(array(string)),
    resume_reason: optional(string),
    local_command: optional(string),
    request_sent_wall_ms: optional(number),
    first_content_frame_ms: optional(number),
    first_stream_post_ms: optional(number),
    first_stream_post_ack_ms: optional(number),
    first_stream_post_queue_wait_ms: optional(number),
    first_stream_post_queued_behind: optional(
      openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']),
    ),
    first_stream_post_wall_ms: optional(number),
    first_text_post_ms: optional(number),
    first_text_post_queue_wait_ms: optional(number),
    first_text_post_queued_behind: optional(
      openEnum(['durable_post', 'ephemeral_post', 'retry_backoff', 'hold', 'none']),
    ),
    first_text_post_wall_ms: optional(number),
    time_to_request_from_spawn_ms: optional(number),
    warm_spare_claimed: optional(boolean),
    time_origin_ms: optional(number),
    is_error: boolean,
    api_error_status: optional(nullable(number)),
    num_turns: number,
    result: string,
    stop_reason: nullable(string),
    total_cost_usd: number,
    usage: resultUsage,
    modelUsage: record(modelUsage),
    permission_denials: array(permissionDenial),
    queued_turn_count: optional(number),
    structured_output: optional(unknown),
    deferred_tool_use: optional(deferredToolUse),
    terminal_reason: optional(terminalReason),
    result_index: optional(number),
    credential_expires_at: optional(string),
    fast_mode_state: optional(fastModeState),
    fast_mode_disabled_reason: optional(fastModeDisabledReason),
    origin: optional(messageOrigin),
    // Seen, not declared.
    subagent_stats: optional(record(unknown)),
    safety_stops: optional(number),
    api_error_type: optional(string),
    model_usage_since_last_result: optional(record(modelUsage)),
    first_request_input_tokens: optional(number),
    first_request_cache_read_input_tokens: optional(number),
  }),
);

/** The end of a turn that ran through. `is_error` tells an answer of the model from an API error. */
export type SDKResultSuccess = Infer<typeof resultSuccess>;

/** Schema of `SDKResultError`. */
export const resultError = lazy(() =>
  agentMessage('result', {
    subtype: oneOf([
      'error_during_execution',
      'error_max_turns',
      'error_max_budget_usd',
      'error_max_structured_output_retries',
    ]),
    duration_ms: number,
    duration_api_ms: number,
    is_error: boolean,
    num_turns: number,
    stop_reason: nullable(string),
    total_cost_usd: number,
    usage: resultUsage,
    modelUsage: record(modelUsage),
    permission_denials: array(permissionDenial),
    queued_turn_count: optional(number),
    errors: array(string),
    startup_failure_reason: optional(startupFailureReason),
    invalid_config_file: optional(
      object({
        path: string,
        is_global: boolean,
        backup_searched: boolean,
        backup_path: optional(string),
      }),
    ),
    user_message_uuid: optional(string),
    user_message_uuids: optional(array(string)),
    resume_reason: optional(string),
    terminal_reason: optional(terminalReason),
    result_index: optional(number),
    credential_expires_at: optional(string),
    fast_mode_state: optional(fastModeState),
    fast_mode_disabled_reason: optional(fastModeDisabledReason),
    origin: optional(messageOrigin),
    // Seen, not declared.
    subagent_stats: optional(record(unknown)),
    safety_stops: optional(number),
    model_usage_since_last_result: optional(record(modelUsage)),
  }),
);

/** The end of a turn that was cut: interrupted, failed, or over a limit. */
export type SDKResultError = Infer<typeof resultError>;

/** The end of a turn. */
export type SDKResultMessage = SDKResultSuccess | SDKResultError;
