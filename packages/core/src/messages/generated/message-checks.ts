// Generated from src/schemas by `pnpm --filter @proto/core generate`; do not edit.

import {
  type Check,
  type Kind,
  flag,
  has,
  kind,
  kinds,
  list,
  map,
  nullableNumber,
  nullableText,
  number,
  object,
  optionalFlag,
  optionalNullableNumber,
  optionalNullableText,
  optionalNumber,
  optionalText,
  requests,
  subtypeOf,
  text,
  texts,
} from '../check-parts.ts';

const isTextBlock = (v: any): boolean =>
  text(v.text) && (v.citations === undefined || v.citations === null || Array.isArray(v.citations));
const isThinkingBlock = (v: any): boolean => text(v.thinking) && text(v.signature);
const isRedactedThinkingBlock = (v: any): boolean => text(v.data);
const isToolUseBlock = (v: any): boolean =>
  text(v.id) && text(v.name) && has(v, 'input') && optionalNullableText(v.toolset_name);
const is_ImageBlock_source = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'base64':
      return text(v.media_type) && text(v.data);
    case 'url':
      return text(v.url);
    case 'file':
      return text(v.file_id);
    default:
      return text(v.type);
  }
};
const isImageBlock = (v: any): boolean => is_ImageBlock_source(v.source);
const is_DocumentBlock_source = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'base64':
      return text(v.media_type) && text(v.data);
    case 'text':
      return text(v.media_type) && text(v.data);
    case 'content':
      return text(v.content) || Array.isArray(v.content);
    case 'url':
      return text(v.url);
    case 'file':
      return text(v.file_id);
    default:
      return text(v.type);
  }
};
const is_DocumentBlock_citations = (v: any): boolean => object(v) && optionalFlag(v.enabled);
const isDocumentBlock = (v: any): boolean =>
  is_DocumentBlock_source(v.source) &&
  optionalNullableText(v.title) &&
  optionalNullableText(v.context) &&
  (v.citations === undefined || v.citations === null || is_DocumentBlock_citations(v.citations));
const isSearchResultBlock = (v: any): boolean => text(v.source) && text(v.title) && Array.isArray(v.content);
const isToolReferenceBlock = (v: any): boolean => text(v.tool_name);
const isBrowserStateBlock = (_: any): boolean => true;
const is_ToolResultBlock_content = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'text':
      return isTextBlock(v);
    case 'image':
      return isImageBlock(v);
    case 'document':
      return isDocumentBlock(v);
    case 'search_result':
      return isSearchResultBlock(v);
    case 'tool_reference':
      return isToolReferenceBlock(v);
    case 'browser_state':
      return isBrowserStateBlock(v);
    default:
      return text(v.type);
  }
};
const isToolResultBlock = (v: any): boolean =>
  text(v.tool_use_id) &&
  (v.content === undefined || text(v.content) || list(v.content, is_ToolResultBlock_content)) &&
  optionalFlag(v.is_error);
const isServerToolUseBlock = (v: any): boolean =>
  text(v.id) && text(v.name) && has(v, 'input') && optionalNullableText(v.toolset_name);
const isServerToolResultBlock = (v: any): boolean => text(v.tool_use_id) && has(v, 'content');
const isMcpToolUseBlock = (v: any): boolean => text(v.id) && text(v.name) && text(v.server_name) && has(v, 'input');
const isMcpToolResultBlock = (v: any): boolean =>
  text(v.tool_use_id) && (text(v.content) || Array.isArray(v.content)) && flag(v.is_error);
const isContainerUploadBlock = (v: any): boolean => text(v.file_id);
const isMcpToolListingBlock = (v: any): boolean => text(v.mcp_server_name) && Array.isArray(v.tools);
const isCompactionBlock = (v: any): boolean =>
  optionalNullableText(v.content) && optionalNullableText(v.encrypted_content);
const isFallbackBlock = (v: any): boolean => has(v, 'from') && has(v, 'to');
const isContentBlock = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'text':
      return isTextBlock(v);
    case 'thinking':
      return isThinkingBlock(v);
    case 'redacted_thinking':
      return isRedactedThinkingBlock(v);
    case 'tool_use':
      return isToolUseBlock(v);
    case 'tool_result':
      return isToolResultBlock(v);
    case 'image':
      return isImageBlock(v);
    case 'document':
      return isDocumentBlock(v);
    case 'search_result':
      return isSearchResultBlock(v);
    case 'server_tool_use':
      return isServerToolUseBlock(v);
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
    case 'code_execution_tool_result':
    case 'bash_code_execution_tool_result':
    case 'text_editor_code_execution_tool_result':
    case 'tool_search_tool_result':
    case 'advisor_tool_result':
      return isServerToolResultBlock(v);
    case 'mcp_tool_use':
      return isMcpToolUseBlock(v);
    case 'mcp_tool_result':
      return isMcpToolResultBlock(v);
    case 'container_upload':
      return isContainerUploadBlock(v);
    case 'mcp_tool_listing':
      return isMcpToolListingBlock(v);
    case 'compaction':
      return isCompactionBlock(v);
    case 'fallback':
      return isFallbackBlock(v);
    default:
      return text(v.type);
  }
};
const is_ApiUsage_cache_creation = (v: any): boolean =>
  object(v) && optionalNumber(v.ephemeral_5m_input_tokens) && optionalNumber(v.ephemeral_1h_input_tokens);
const is_ApiUsage_server_tool_use = (v: any): boolean =>
  object(v) && optionalNumber(v.web_search_requests) && optionalNumber(v.web_fetch_requests);
const is_ApiUsage_output_tokens_details = (v: any): boolean => object(v) && optionalNumber(v.thinking_tokens);
const isApiUsage = (v: any): boolean =>
  object(v) &&
  optionalNumber(v.input_tokens) &&
  optionalNumber(v.output_tokens) &&
  optionalNullableNumber(v.cache_creation_input_tokens) &&
  optionalNullableNumber(v.cache_read_input_tokens) &&
  (v.cache_creation === undefined || v.cache_creation === null || is_ApiUsage_cache_creation(v.cache_creation)) &&
  (v.server_tool_use === undefined || v.server_tool_use === null || is_ApiUsage_server_tool_use(v.server_tool_use)) &&
  (v.output_tokens_details === undefined ||
    v.output_tokens_details === null ||
    is_ApiUsage_output_tokens_details(v.output_tokens_details)) &&
  optionalNullableText(v.service_tier) &&
  optionalNullableText(v.inference_geo) &&
  (v.iterations === undefined || v.iterations === null || Array.isArray(v.iterations)) &&
  optionalNullableText(v.speed);
const isApiMessage = (v: any): boolean =>
  object(v) &&
  optionalText(v.id) &&
  (v.type === undefined || v.type === 'message') &&
  v.role === 'assistant' &&
  optionalText(v.model) &&
  list(v.content, isContentBlock) &&
  optionalNullableText(v.stop_reason) &&
  optionalNullableText(v.stop_sequence) &&
  (v.usage === undefined || isApiUsage(v.usage));
const is_SDKContextUsage_over_limit = (v: any): boolean => object(v) && number(v.tokens_over) && text(v.kind);
const isSDKContextUsageCategory = (v: any): boolean => object(v) && text(v.name) && number(v.tokens) && text(v.kind);
const is_SDKContextUsage_mcp_tools = (v: any): boolean =>
  object(v) && text(v.name) && text(v.server_name) && number(v.tokens);
const is_SDKContextUsage_memory_files = (v: any): boolean =>
  object(v) && text(v.path) && text(v.type) && number(v.tokens);
const is_SDKContextUsage_agents = (v: any): boolean =>
  object(v) && text(v.agent_type) && text(v.source) && number(v.tokens);
const is_SDKContextUsage_skills = (v: any): boolean =>
  object(v) && text(v.name) && text(v.source) && optionalText(v.plugin_name) && number(v.tokens);
const isSDKContextUsage = (v: any): boolean =>
  object(v) &&
  text(v.model) &&
  number(v.total_tokens) &&
  number(v.raw_max_tokens) &&
  number(v.percentage) &&
  (v.over_limit === undefined || is_SDKContextUsage_over_limit(v.over_limit)) &&
  list(v.categories, isSDKContextUsageCategory) &&
  list(v.mcp_tools, is_SDKContextUsage_mcp_tools) &&
  list(v.memory_files, is_SDKContextUsage_memory_files) &&
  list(v.agents, is_SDKContextUsage_agents) &&
  (v.skills === undefined || list(v.skills, is_SDKContextUsage_skills));
const isModelUsage = (v: any): boolean =>
  object(v) &&
  number(v.inputTokens) &&
  number(v.outputTokens) &&
  optionalNumber(v.thinkingTokens) &&
  number(v.cacheReadInputTokens) &&
  number(v.cacheCreationInputTokens) &&
  optionalNumber(v.cacheCreationEphemeral5mInputTokens) &&
  optionalNumber(v.cacheCreationEphemeral1hInputTokens) &&
  number(v.webSearchRequests) &&
  number(v.costUSD) &&
  number(v.contextWindow) &&
  number(v.maxOutputTokens) &&
  optionalText(v.canonicalModel) &&
  optionalText(v.provider) &&
  optionalText(v.costBasis);
const is_SDKUsageReport_session = (v: any): boolean =>
  object(v) &&
  number(v.total_cost_usd) &&
  number(v.total_api_duration_ms) &&
  number(v.total_duration_ms) &&
  number(v.total_lines_added) &&
  number(v.total_lines_removed) &&
  map(v.model_usage, isModelUsage);
const is_SDKUsageReport_rate_limits_limits_scope_model = (v: any): boolean => object(v) && text(v.display_name);
const is_SDKUsageReport_rate_limits_limits_scope = (v: any): boolean =>
  object(v) &&
  (v.model === undefined || v.model === null || is_SDKUsageReport_rate_limits_limits_scope_model(v.model)) &&
  (v.surface === undefined || v.surface === null || is_SDKUsageReport_rate_limits_limits_scope_model(v.surface));
const is_SDKUsageReport_rate_limits_limits = (v: any): boolean =>
  object(v) &&
  text(v.kind) &&
  text(v.group) &&
  number(v.percent) &&
  nullableText(v.resets_at) &&
  (v.scope === undefined || v.scope === null || is_SDKUsageReport_rate_limits_limits_scope(v.scope)) &&
  text(v.severity) &&
  flag(v.is_active);
const is_SDKUsageReport_rate_limits_extra_usage = (v: any): boolean =>
  object(v) &&
  flag(v.is_enabled) &&
  nullableNumber(v.monthly_limit) &&
  nullableNumber(v.used_credits) &&
  nullableNumber(v.utilization) &&
  optionalNullableText(v.currency);
const is_SDKUsageReport_rate_limits = (v: any): boolean =>
  object(v) &&
  (v.limits === null || list(v.limits, is_SDKUsageReport_rate_limits_limits)) &&
  (v.extra_usage === undefined || v.extra_usage === null || is_SDKUsageReport_rate_limits_extra_usage(v.extra_usage));
const isSDKUsageReport = (v: any): boolean =>
  object(v) &&
  is_SDKUsageReport_session(v.session) &&
  (v.rate_limits === null || is_SDKUsageReport_rate_limits(v.rate_limits));
const is_SDKAssistantMessage_local_command_run = (v: any): boolean => object(v) && text(v.command) && text(v.args);
const isSDKAssistantMessage = (v: any): boolean =>
  isApiMessage(v.message) &&
  nullableText(v.parent_tool_use_id) &&
  optionalText(v.error) &&
  optionalText(v.request_id) &&
  optionalText(v.user_message_uuid) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  optionalText(v.resume_reason) &&
  (v.resumed_from_incomplete_thinking === undefined || v.resumed_from_incomplete_thinking === true) &&
  (v.supersedes === undefined || texts(v.supersedes)) &&
  (v.aborted === undefined || v.aborted === true) &&
  optionalText(v.agent_id) &&
  optionalText(v.subagent_type) &&
  optionalText(v.task_description) &&
  optionalText(v.timestamp) &&
  (v.context_usage === undefined || isSDKContextUsage(v.context_usage)) &&
  (v.usage_report === undefined || isSDKUsageReport(v.usage_report)) &&
  optionalFlag(v.is_api_error_message) &&
  optionalNumber(v.api_error_status) &&
  optionalText(v.api_error) &&
  optionalText(v.api_error_type) &&
  (v.tool_use_meta === undefined || Array.isArray(v.tool_use_meta)) &&
  (v.local_command_run === undefined || is_SDKAssistantMessage_local_command_run(v.local_command_run)) &&
  optionalText(v.local_command_source) &&
  optionalNumber(v.thinking_duration_ms) &&
  optionalText(v.thinking_display) &&
  text(v.uuid) &&
  text(v.session_id);
const isMessageParam = (v: any): boolean =>
  object(v) && v.role === 'user' && (text(v.content) || list(v.content, isContentBlock));
const isSDKMessageOrigin = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.kind) {
    case 'human':
    case 'coordinator':
    case 'unclassified':
    case 'auto-continuation':
    case 'observer-activity':
      return true;
    case 'channel':
      return text(v.server);
    case 'peer':
      return (
        text(v.from) &&
        optionalText(v.fromMode) &&
        optionalText(v.name) &&
        optionalText(v.fromSession) &&
        optionalText(v.senderTaskId) &&
        optionalText(v.body) &&
        optionalNumber(v.verifiedPeerPid)
      );
    case 'task-notification':
      return optionalText(v.subkind) && optionalText(v.fireReason) && optionalText(v.producer) && optionalText(v.runId);
    case 'observer':
      return text(v.from) && text(v.senderTaskId);
    default:
      return text(v.kind);
  }
};
const is_ToolResultMeta_permission_decision = (v: any): boolean =>
  object(v) && text(v.decision) && text(v.source) && optionalText(v.reason_type);
const isToolResultMeta = (v: any): boolean =>
  object(v) &&
  text(v.id) &&
  optionalText(v.non_execution_kind) &&
  (v.permission_decision === undefined || is_ToolResultMeta_permission_decision(v.permission_decision));
const isPromptContent = (v: any): boolean => text(v) || list(v, isContentBlock);
const isSDKUserMessage = (v: any): boolean =>
  isMessageParam(v.message) &&
  optionalNullableText(v.parent_tool_use_id) &&
  optionalFlag(v.isSynthetic) &&
  optionalText(v.priority) &&
  (v.origin === undefined || isSDKMessageOrigin(v.origin)) &&
  optionalFlag(v.shouldQuery) &&
  optionalText(v.timestamp) &&
  (v.client_composed === undefined || v.client_composed === true) &&
  (v.tool_result_meta === undefined || list(v.tool_result_meta, isToolResultMeta)) &&
  optionalText(v.uuid) &&
  optionalText(v.session_id) &&
  (v.pasted_content === undefined || list(v.pasted_content, isPromptContent)) &&
  (v.inline_pastes === undefined || texts(v.inline_pastes)) &&
  optionalText(v.agent_id) &&
  optionalText(v.subagent_type) &&
  optionalText(v.task_description) &&
  optionalFlag(v.isReplay);
const isSDKUserMessageReplay = (v: any): boolean =>
  isMessageParam(v.message) &&
  nullableText(v.parent_tool_use_id) &&
  optionalFlag(v.isSynthetic) &&
  optionalText(v.priority) &&
  (v.origin === undefined || isSDKMessageOrigin(v.origin)) &&
  optionalFlag(v.shouldQuery) &&
  optionalText(v.timestamp) &&
  (v.client_composed === undefined || v.client_composed === true) &&
  (v.tool_result_meta === undefined || list(v.tool_result_meta, isToolResultMeta)) &&
  v.isReplay === true &&
  (v.file_attachments === undefined || Array.isArray(v.file_attachments)) &&
  text(v.uuid) &&
  text(v.session_id);
const isStreamEventDelta = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'text_delta':
      return text(v.text);
    case 'input_json_delta':
      return text(v.partial_json);
    case 'thinking_delta':
      return text(v.thinking) && optionalNullableNumber(v.estimated_tokens);
    case 'signature_delta':
      return text(v.signature);
    case 'citations_delta':
      return has(v, 'citation');
    case 'compaction_delta':
      return optionalNullableText(v.content) && optionalNullableText(v.encrypted_content);
    default:
      return text(v.type);
  }
};
const is_StreamEvent_message_delta_delta = (v: any): boolean =>
  object(v) && optionalNullableText(v.stop_reason) && optionalNullableText(v.stop_sequence);
const isApiUsageDelta = (v: any): boolean =>
  object(v) &&
  optionalNumber(v.output_tokens) &&
  optionalNullableNumber(v.input_tokens) &&
  optionalNullableNumber(v.cache_creation_input_tokens) &&
  optionalNullableNumber(v.cache_read_input_tokens) &&
  (v.server_tool_use === undefined || v.server_tool_use === null || is_ApiUsage_server_tool_use(v.server_tool_use)) &&
  (v.output_tokens_details === undefined ||
    v.output_tokens_details === null ||
    is_ApiUsage_output_tokens_details(v.output_tokens_details)) &&
  (v.iterations === undefined || v.iterations === null || Array.isArray(v.iterations));
const isStreamEvent = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'message_start':
      return isApiMessage(v.message);
    case 'content_block_start':
      return number(v.index) && isContentBlock(v.content_block);
    case 'content_block_delta':
      return number(v.index) && isStreamEventDelta(v.delta);
    case 'content_block_stop':
      return number(v.index);
    case 'message_delta':
      return is_StreamEvent_message_delta_delta(v.delta) && isApiUsageDelta(v.usage);
    case 'message_stop':
      return true;
    default:
      return text(v.type);
  }
};
const is_SDKPartialAssistantMessage_abandoned_blocks = (v: any): boolean =>
  object(v) && text(v.api_message_id) && number(v.from_block_index);
const isSDKPartialAssistantMessage = (v: any): boolean =>
  isStreamEvent(v.event) &&
  nullableText(v.parent_tool_use_id) &&
  optionalNumber(v.ttft_ms) &&
  optionalText(v.user_message_uuid) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  optionalText(v.resume_reason) &&
  optionalText(v.thinking_display) &&
  optionalText(v.api_message_id) &&
  (v.abandoned_blocks === undefined || is_SDKPartialAssistantMessage_abandoned_blocks(v.abandoned_blocks)) &&
  (v.owed_rows === undefined || Array.isArray(v.owed_rows)) &&
  text(v.uuid) &&
  text(v.session_id);
const isNonNullableUsage = (v: any): boolean =>
  object(v) &&
  optionalNumber(v.input_tokens) &&
  optionalNumber(v.output_tokens) &&
  optionalNumber(v.cache_creation_input_tokens) &&
  optionalNumber(v.cache_read_input_tokens) &&
  (v.cache_creation === undefined || is_ApiUsage_cache_creation(v.cache_creation)) &&
  (v.server_tool_use === undefined || is_ApiUsage_server_tool_use(v.server_tool_use)) &&
  (v.output_tokens_details === undefined || is_ApiUsage_output_tokens_details(v.output_tokens_details)) &&
  optionalText(v.service_tier) &&
  optionalText(v.inference_geo) &&
  (v.iterations === undefined || Array.isArray(v.iterations)) &&
  optionalText(v.speed);
const isSDKPermissionDenial = (v: any): boolean =>
  object(v) && text(v.tool_name) && text(v.tool_use_id) && object(v.tool_input);
const isSDKDeferredToolUse = (v: any): boolean => object(v) && text(v.id) && text(v.name) && object(v.input);
const isSDKResultSuccess = (v: any): boolean =>
  number(v.duration_ms) &&
  number(v.duration_api_ms) &&
  number(v.num_turns) &&
  number(v.total_cost_usd) &&
  isNonNullableUsage(v.usage) &&
  map(v.modelUsage, isModelUsage) &&
  list(v.permission_denials, isSDKPermissionDenial) &&
  optionalNumber(v.queued_turn_count) &&
  optionalText(v.terminal_reason) &&
  optionalNumber(v.result_index) &&
  optionalText(v.credential_expires_at) &&
  optionalText(v.fast_mode_state) &&
  optionalText(v.fast_mode_disabled_reason) &&
  (v.origin === undefined || isSDKMessageOrigin(v.origin)) &&
  optionalText(v.user_message_uuid) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  optionalText(v.resume_reason) &&
  optionalNumber(v.safety_stops) &&
  (v.begun_message_ids === undefined || texts(v.begun_message_ids)) &&
  (v.subagent_stats === undefined || object(v.subagent_stats)) &&
  (v.model_usage_since_last_result === undefined || map(v.model_usage_since_last_result, isModelUsage)) &&
  optionalNumber(v.ttft_ms) &&
  optionalNumber(v.ttft_stream_ms) &&
  optionalNumber(v.time_to_request_ms) &&
  optionalText(v.local_command) &&
  optionalNumber(v.request_sent_wall_ms) &&
  optionalNumber(v.first_content_frame_ms) &&
  optionalNumber(v.first_stream_post_ms) &&
  optionalNumber(v.first_stream_post_ack_ms) &&
  optionalNumber(v.first_stream_post_queue_wait_ms) &&
  optionalText(v.first_stream_post_queued_behind) &&
  optionalNumber(v.first_stream_post_wall_ms) &&
  optionalNumber(v.first_text_post_ms) &&
  optionalNumber(v.first_text_post_queue_wait_ms) &&
  optionalText(v.first_text_post_queued_behind) &&
  optionalNumber(v.first_text_post_wall_ms) &&
  optionalNumber(v.time_to_request_from_spawn_ms) &&
  optionalFlag(v.warm_spare_claimed) &&
  optionalNumber(v.time_origin_ms) &&
  flag(v.is_error) &&
  optionalNullableNumber(v.api_error_status) &&
  text(v.result) &&
  nullableText(v.stop_reason) &&
  (v.deferred_tool_use === undefined || isSDKDeferredToolUse(v.deferred_tool_use)) &&
  optionalText(v.api_error) &&
  optionalText(v.api_error_type) &&
  optionalNumber(v.first_request_input_tokens) &&
  optionalNumber(v.first_request_cache_read_input_tokens) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKResultError_invalid_config_file = (v: any): boolean =>
  object(v) && text(v.path) && flag(v.is_global) && flag(v.backup_searched) && optionalText(v.backup_path);
const isSDKResultError = (v: any): boolean =>
  number(v.duration_ms) &&
  number(v.duration_api_ms) &&
  number(v.num_turns) &&
  number(v.total_cost_usd) &&
  isNonNullableUsage(v.usage) &&
  map(v.modelUsage, isModelUsage) &&
  list(v.permission_denials, isSDKPermissionDenial) &&
  optionalNumber(v.queued_turn_count) &&
  optionalText(v.terminal_reason) &&
  optionalNumber(v.result_index) &&
  optionalText(v.credential_expires_at) &&
  optionalText(v.fast_mode_state) &&
  optionalText(v.fast_mode_disabled_reason) &&
  (v.origin === undefined || isSDKMessageOrigin(v.origin)) &&
  optionalText(v.user_message_uuid) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  optionalText(v.resume_reason) &&
  optionalNumber(v.safety_stops) &&
  (v.begun_message_ids === undefined || texts(v.begun_message_ids)) &&
  (v.subagent_stats === undefined || object(v.subagent_stats)) &&
  (v.model_usage_since_last_result === undefined || map(v.model_usage_since_last_result, isModelUsage)) &&
  flag(v.is_error) &&
  nullableText(v.stop_reason) &&
  texts(v.errors) &&
  optionalText(v.startup_failure_reason) &&
  (v.invalid_config_file === undefined || is_SDKResultError_invalid_config_file(v.invalid_config_file)) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKSystemMessage_mcp_servers = (v: any): boolean =>
  object(v) && text(v.name) && text(v.status) && optionalText(v.source);
const is_SDKSystemMessage_plugins = (v: any): boolean =>
  object(v) && text(v.name) && text(v.path) && optionalText(v.version) && optionalText(v.source);
const is_SDKSystemMessage_plugin_errors_managed_lock = (v: any): boolean =>
  object(v) && flag(v.plugin_enabled) && text(v.name) && optionalText(v.marketplace);
const is_SDKSystemMessage_plugin_errors = (v: any): boolean =>
  object(v) &&
  text(v.plugin) &&
  text(v.type) &&
  text(v.message) &&
  optionalText(v.path) &&
  (v.managed_lock === undefined || is_SDKSystemMessage_plugin_errors_managed_lock(v.managed_lock));
const isSDKSystemMessage = (v: any): boolean =>
  (v.agents === undefined || texts(v.agents)) &&
  text(v.apiKeySource) &&
  (v.betas === undefined || texts(v.betas)) &&
  text(v.claude_code_version) &&
  text(v.cwd) &&
  texts(v.tools) &&
  list(v.mcp_servers, is_SDKSystemMessage_mcp_servers) &&
  text(v.model) &&
  text(v.permissionMode) &&
  texts(v.slash_commands) &&
  (v.terminal_slash_commands === undefined || texts(v.terminal_slash_commands)) &&
  text(v.output_style) &&
  texts(v.skills) &&
  list(v.plugins, is_SDKSystemMessage_plugins) &&
  (v.plugin_errors === undefined || list(v.plugin_errors, is_SDKSystemMessage_plugin_errors)) &&
  optionalText(v.fast_mode_state) &&
  optionalText(v.fast_mode_disabled_reason) &&
  optionalNullableText(v.effort) &&
  optionalText(v.view_mode) &&
  (v.capabilities === undefined || texts(v.capabilities)) &&
  optionalFlag(v.analytics_disabled) &&
  optionalFlag(v.product_feedback_disabled) &&
  (v.memory_paths === undefined || object(v.memory_paths)) &&
  optionalText(v.original_cwd) &&
  (v.additional_directories === undefined || texts(v.additional_directories)) &&
  optionalText(v.messaging_socket_path) &&
  optionalFlag(v.per_turn_effort_active) &&
  (v.sandbox_enabled === undefined || flag(v.sandbox_enabled) || v.sandbox_enabled === 'unknown') &&
  optionalFlag(v.served_by_anthropic) &&
  optionalFlag(v.ultrathink_available) &&
  optionalFlag(v.ultrathink_typed_raises) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKCompactBoundaryMessage_compact_metadata_preserved_segment = (v: any): boolean =>
  object(v) && text(v.head_uuid) && text(v.anchor_uuid) && text(v.tail_uuid);
const is_SDKCompactBoundaryMessage_compact_metadata_preserved_messages = (v: any): boolean =>
  object(v) && text(v.anchor_uuid) && texts(v.uuids) && (v.all_uuids === undefined || texts(v.all_uuids));
const is_SDKCompactBoundaryMessage_compact_metadata = (v: any): boolean =>
  object(v) &&
  text(v.trigger) &&
  number(v.pre_tokens) &&
  optionalNumber(v.post_tokens) &&
  optionalNumber(v.duration_ms) &&
  optionalNumber(v.cumulative_dropped_tokens) &&
  (v.preserved_segment === undefined ||
    is_SDKCompactBoundaryMessage_compact_metadata_preserved_segment(v.preserved_segment)) &&
  (v.preserved_messages === undefined ||
    is_SDKCompactBoundaryMessage_compact_metadata_preserved_messages(v.preserved_messages));
const isSDKCompactBoundaryMessage = (v: any): boolean =>
  is_SDKCompactBoundaryMessage_compact_metadata(v.compact_metadata) &&
  optionalText(v.logical_parent_uuid) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKStatusMessage = (v: any): boolean =>
  nullableText(v.status) &&
  optionalText(v.permissionMode) &&
  optionalText(v.compact_result) &&
  optionalText(v.compact_error) &&
  optionalNumber(v.compact_output_chars) &&
  (v.user_message_uuids === undefined || texts(v.user_message_uuids)) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKAPIRetryMessage_no_response = (v: any): boolean =>
  object(v) && number(v.waited_ms) && number(v.retry_wait_ms);
const isSDKAPIRetryMessage = (v: any): boolean =>
  number(v.attempt) &&
  number(v.max_retries) &&
  number(v.retry_delay_ms) &&
  nullableNumber(v.error_status) &&
  text(v.error) &&
  (v.no_response === undefined || is_SDKAPIRetryMessage_no_response(v.no_response)) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKControlRequestProgressMessage = (v: any): boolean =>
  text(v.request_id) &&
  text(v.status) &&
  optionalNumber(v.attempt) &&
  optionalNumber(v.max_retries) &&
  optionalNumber(v.retry_delay_ms) &&
  optionalNullableNumber(v.error_status) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKModelRefusalFallbackMessage = (v: any): boolean =>
  text(v.trigger) &&
  text(v.direction) &&
  optionalText(v.scope) &&
  text(v.original_model) &&
  nullableText(v.request_id) &&
  optionalNullableText(v.api_refusal_category) &&
  optionalNullableText(v.api_refusal_explanation) &&
  optionalNullableText(v.refused_user_message_uuid) &&
  text(v.content) &&
  text(v.fallback_model) &&
  (v.retracted_message_uuids === undefined || texts(v.retracted_message_uuids)) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKModelRefusalNoFallbackMessage = (v: any): boolean =>
  text(v.original_model) &&
  nullableText(v.request_id) &&
  optionalNullableText(v.api_refusal_category) &&
  optionalNullableText(v.api_refusal_explanation) &&
  optionalNullableText(v.refused_user_message_uuid) &&
  text(v.content) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKLocalCommandOutputMessage = (v: any): boolean => text(v.content) && text(v.uuid) && text(v.session_id);
const isSDKHookStartedMessage = (v: any): boolean =>
  text(v.hook_id) && text(v.hook_name) && text(v.hook_event) && text(v.uuid) && text(v.session_id);
const isSDKHookProgressMessage = (v: any): boolean =>
  text(v.hook_id) &&
  text(v.hook_name) &&
  text(v.hook_event) &&
  text(v.stdout) &&
  text(v.stderr) &&
  text(v.output) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKHookResponseMessage = (v: any): boolean =>
  text(v.hook_id) &&
  text(v.hook_name) &&
  text(v.hook_event) &&
  text(v.output) &&
  text(v.stdout) &&
  text(v.stderr) &&
  optionalNumber(v.exit_code) &&
  text(v.outcome) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKPluginInstallMessage = (v: any): boolean =>
  text(v.status) && optionalText(v.name) && optionalText(v.error) && text(v.uuid) && text(v.session_id);
const is_SDKTaskNotificationMessage_usage = (v: any): boolean =>
  object(v) && number(v.total_tokens) && number(v.tool_uses) && number(v.duration_ms);
const isSDKMcpResourceLink = (v: any): boolean =>
  object(v) &&
  text(v.uri) &&
  text(v.name) &&
  optionalText(v.title) &&
  optionalText(v.description) &&
  optionalText(v.mimeType) &&
  optionalNumber(v.size) &&
  (v.annotations === undefined || object(v.annotations));
const isSDKTaskNotificationMessage = (v: any): boolean =>
  text(v.task_id) &&
  optionalText(v.run_id) &&
  optionalText(v.tool_use_id) &&
  text(v.status) &&
  optionalText(v.reason) &&
  text(v.output_file) &&
  text(v.summary) &&
  optionalFlag(v.summary_is_report) &&
  (v.usage === undefined || is_SDKTaskNotificationMessage_usage(v.usage)) &&
  (v.resource_links === undefined || list(v.resource_links, isSDKMcpResourceLink)) &&
  optionalFlag(v.skip_transcript) &&
  optionalFlag(v.ambient) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKTaskStartedMessage = (v: any): boolean =>
  text(v.task_id) &&
  optionalText(v.run_id) &&
  optionalText(v.tool_use_id) &&
  text(v.description) &&
  optionalText(v.subagent_type) &&
  optionalFlag(v.is_backgrounded) &&
  optionalNumber(v.spawn_depth) &&
  optionalText(v.parent_task_id) &&
  optionalText(v.task_type) &&
  optionalText(v.workflow_name) &&
  optionalText(v.prompt) &&
  optionalFlag(v.skip_transcript) &&
  optionalFlag(v.ambient) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKTaskUpdatedMessage_patch = (v: any): boolean =>
  object(v) &&
  optionalText(v.status) &&
  optionalText(v.description) &&
  optionalNumber(v.end_time) &&
  optionalNumber(v.total_paused_ms) &&
  optionalText(v.error) &&
  optionalFlag(v.is_backgrounded);
const isSDKTaskUpdatedMessage = (v: any): boolean =>
  text(v.task_id) &&
  optionalText(v.run_id) &&
  is_SDKTaskUpdatedMessage_patch(v.patch) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKTaskProgressMessage = (v: any): boolean =>
  text(v.task_id) &&
  optionalText(v.run_id) &&
  optionalText(v.tool_use_id) &&
  text(v.description) &&
  optionalText(v.subagent_type) &&
  is_SDKTaskNotificationMessage_usage(v.usage) &&
  optionalText(v.last_tool_name) &&
  optionalText(v.summary) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKBackgroundTasksChangedMessage_tasks = (v: any): boolean =>
  object(v) &&
  text(v.task_id) &&
  optionalText(v.run_id) &&
  text(v.task_type) &&
  optionalText(v.subagent_type) &&
  text(v.description) &&
  optionalText(v.parent_task_id) &&
  optionalFlag(v.ambient);
const isSDKBackgroundTasksChangedMessage = (v: any): boolean =>
  list(v.tasks, is_SDKBackgroundTasksChangedMessage_tasks) && text(v.uuid) && text(v.session_id);
const isSDKThinkingTokensMessage = (v: any): boolean =>
  number(v.estimated_tokens) &&
  number(v.estimated_tokens_delta) &&
  optionalText(v.user_message_uuid) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKSessionStateChangedMessage = (v: any): boolean =>
  text(v.state) && optionalFlag(v.sdk_host_only) && text(v.uuid) && text(v.session_id);
const isSDKWorkerShuttingDownMessage = (v: any): boolean => text(v.reason) && text(v.uuid) && text(v.session_id);
const isSlashCommand = (v: any): boolean =>
  object(v) &&
  text(v.name) &&
  text(v.description) &&
  text(v.argumentHint) &&
  (v.aliases === undefined || texts(v.aliases)) &&
  optionalFlag(v.builtin);
const isSDKCommandsChangedMessage = (v: any): boolean =>
  list(v.commands, isSlashCommand) && text(v.uuid) && text(v.session_id);
const isSDKNotificationMessage = (v: any): boolean =>
  text(v.key) &&
  text(v.text) &&
  text(v.priority) &&
  optionalText(v.color) &&
  optionalNumber(v.timeout_ms) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKFilesPersistedEvent_files = (v: any): boolean => object(v) && text(v.filename) && text(v.file_id);
const is_SDKFilesPersistedEvent_failed = (v: any): boolean => object(v) && text(v.filename) && text(v.error);
const isSDKFilesPersistedEvent = (v: any): boolean =>
  list(v.files, is_SDKFilesPersistedEvent_files) &&
  list(v.failed, is_SDKFilesPersistedEvent_failed) &&
  text(v.processed_at) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKMemoryRecallMessage_memories = (v: any): boolean =>
  object(v) && text(v.path) && text(v.scope) && optionalText(v.content);
const isSDKMemoryRecallMessage = (v: any): boolean =>
  text(v.mode) && list(v.memories, is_SDKMemoryRecallMessage_memories) && text(v.uuid) && text(v.session_id);
const isSDKElicitationCompleteMessage = (v: any): boolean =>
  text(v.mcp_server_name) && text(v.elicitation_id) && text(v.uuid) && text(v.session_id);
const isSDKPermissionDeniedMessage = (v: any): boolean =>
  text(v.tool_name) &&
  text(v.tool_use_id) &&
  optionalText(v.agent_id) &&
  optionalText(v.decision_reason_type) &&
  optionalText(v.decision_reason) &&
  text(v.message) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKMirrorErrorMessage_key = (v: any): boolean =>
  object(v) && text(v.projectKey) && text(v.sessionId) && optionalText(v.subpath);
const isSDKMirrorErrorMessage = (v: any): boolean =>
  text(v.error) && is_SDKMirrorErrorMessage_key(v.key) && text(v.uuid) && text(v.session_id);
const is_SDKInformationalMessage_prompt_submit_outcome = (v: any): boolean =>
  object(v) && text(v.kind) && flag(v.prompt_kept) && optionalText(v.reason);
const isSDKInformationalMessage = (v: any): boolean =>
  text(v.content) &&
  text(v.level) &&
  optionalText(v.tool_use_id) &&
  optionalFlag(v.prevent_continuation) &&
  optionalText(v.tag) &&
  (v.prompt_submit_outcome === undefined ||
    is_SDKInformationalMessage_prompt_submit_outcome(v.prompt_submit_outcome)) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKSessionWritesLostMessage = (v: any): boolean =>
  text(v.error_code) &&
  texts(v.lost) &&
  (v.transcript_session_ids === undefined || texts(v.transcript_session_ids)) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKModelFallbackMessage = (v: any): boolean =>
  text(v.trigger) &&
  optionalText(v.original_model) &&
  optionalText(v.fallback_model) &&
  optionalText(v.content) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKSessionTitleChangedMessage = (v: any): boolean => text(v.title) && text(v.uuid) && text(v.session_id);
const isSDKUiInvalidateMessage = (v: any): boolean => text(v.event) && text(v.uuid) && text(v.session_id);
const is_SDKToolProgressMessage_subagent_retry = (v: any): boolean =>
  object(v) &&
  text(v.agent_id) &&
  number(v.attempt) &&
  number(v.max_retries) &&
  number(v.retry_delay_ms) &&
  nullableNumber(v.error_status) &&
  text(v.error_category);
const isSDKToolProgressMessage = (v: any): boolean =>
  text(v.tool_use_id) &&
  text(v.tool_name) &&
  nullableText(v.parent_tool_use_id) &&
  number(v.elapsed_time_seconds) &&
  optionalText(v.task_id) &&
  optionalFlag(v.heartbeat) &&
  optionalText(v.subagent_type) &&
  (v.subagent_retry === undefined || is_SDKToolProgressMessage_subagent_retry(v.subagent_retry)) &&
  text(v.uuid) &&
  text(v.session_id);
const isSDKAuthStatusMessage = (v: any): boolean =>
  flag(v.isAuthenticating) && texts(v.output) && optionalText(v.error) && text(v.uuid) && text(v.session_id);
const isSDKToolUseSummaryMessage = (v: any): boolean =>
  text(v.summary) && texts(v.preceding_tool_use_ids) && text(v.uuid) && text(v.session_id);
const isSDKRateLimitInfo = (v: any): boolean =>
  object(v) &&
  text(v.status) &&
  optionalNumber(v.resetsAt) &&
  optionalText(v.rateLimitType) &&
  optionalNumber(v.utilization) &&
  optionalText(v.overageStatus) &&
  optionalNumber(v.overageResetsAt) &&
  optionalText(v.overageDisabledReason) &&
  optionalFlag(v.isUsingOverage) &&
  optionalFlag(v.overageInUse) &&
  optionalFlag(v.overageEnabled) &&
  optionalNumber(v.surpassedThreshold) &&
  optionalText(v.limitScope) &&
  optionalText(v.errorCode) &&
  optionalFlag(v.canUserPurchaseCredits) &&
  optionalFlag(v.hasChargeableSavedPaymentMethod);
const isSDKRateLimitEvent = (v: any): boolean =>
  isSDKRateLimitInfo(v.rate_limit_info) && text(v.uuid) && text(v.session_id);
const isSDKPromptSuggestionMessage = (v: any): boolean => text(v.suggestion) && text(v.uuid) && text(v.session_id);
const isSDKConversationResetMessage = (v: any): boolean =>
  text(v.new_conversation_id) &&
  optionalText(v.trigger) &&
  optionalText(v.user_message_uuid) &&
  optionalText(v.timestamp) &&
  text(v.uuid) &&
  text(v.session_id);
const is_SDKActiveGoalMessage_value = (v: any): boolean =>
  object(v) &&
  text(v.condition) &&
  number(v.iterations) &&
  number(v.set_at) &&
  number(v.tokens_at_start) &&
  optionalText(v.last_reason);
const isSDKActiveGoalMessage = (v: any): boolean =>
  (v.value === null || is_SDKActiveGoalMessage_value(v.value)) && text(v.uuid) && text(v.session_id);
const isSDKKeepAliveMessage = (v: any): boolean => optionalText(v.startup_mark);
const isSDKCommandLifecycleMessage = (v: any): boolean =>
  text(v.command_uuid) && text(v.state) && text(v.uuid) && text(v.session_id);
const isSessionStoreEntry = (v: any): boolean =>
  object(v) && text(v.type) && optionalText(v.uuid) && optionalText(v.timestamp);
const isSDKTranscriptMirrorMessage = (v: any): boolean => text(v.filePath) && list(v.entries, isSessionStoreEntry);
const is_ControlResponse_pending_permission_requests_request = (v: any): boolean => object(v) && text(v.subtype);
const is_ControlResponse_pending_permission_requests = (v: any): boolean =>
  object(v) && text(v.request_id) && is_ControlResponse_pending_permission_requests_request(v.request);
const isControlResponse = (v: any): boolean =>
  text(v.request_id) &&
  (v.response === undefined || object(v.response)) &&
  (v.pending_permission_requests === undefined ||
    list(v.pending_permission_requests, is_ControlResponse_pending_permission_requests)) &&
  (v.pending_user_dialog_requests === undefined ||
    list(v.pending_user_dialog_requests, is_ControlResponse_pending_permission_requests)) &&
  (v.pending_elicitation_requests === undefined ||
    list(v.pending_elicitation_requests, is_ControlResponse_pending_permission_requests));
const isControlErrorResponse = (v: any): boolean =>
  text(v.request_id) &&
  text(v.error) &&
  optionalText(v.error_code) &&
  optionalText(v.model) &&
  (v.pending_permission_requests === undefined ||
    list(v.pending_permission_requests, is_ControlResponse_pending_permission_requests)) &&
  (v.pending_user_dialog_requests === undefined ||
    list(v.pending_user_dialog_requests, is_ControlResponse_pending_permission_requests)) &&
  (v.pending_elicitation_requests === undefined ||
    list(v.pending_elicitation_requests, is_ControlResponse_pending_permission_requests));
const is_SDKControlResponse_response = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.subtype) {
    case 'success':
      return isControlResponse(v);
    case 'error':
      return isControlErrorResponse(v);
    default:
      return false;
  }
};
const isSDKControlResponse = (v: any): boolean =>
  is_SDKControlResponse_response(v.response) && optionalFlag(v.live_only);
const isSDKControlCancelRequest = (v: any): boolean => text(v.request_id);
const isMcpServerProvenance = (v: any): boolean => object(v) && text(v.name) && text(v.source);
const isPermissionRuleValue = (v: any): boolean => object(v) && text(v.toolName) && optionalNullableText(v.ruleContent);
const isPermissionUpdate = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'addRules':
      return list(v.rules, isPermissionRuleValue) && text(v.behavior) && text(v.destination);
    case 'replaceRules':
      return list(v.rules, isPermissionRuleValue) && text(v.behavior) && text(v.destination);
    case 'removeRules':
      return list(v.rules, isPermissionRuleValue) && text(v.behavior) && text(v.destination);
    case 'setMode':
      return text(v.mode) && text(v.destination);
    case 'addDirectories':
      return texts(v.directories) && text(v.destination);
    case 'removeDirectories':
      return texts(v.directories) && text(v.destination);
    default:
      return text(v.type);
  }
};
const is_SDKControlPermissionRequest_matched_ask_rule = (v: any): boolean =>
  object(v) && text(v.source) && text(v.tool_name) && optionalText(v.rule_content);
const isSDKControlPermissionRequest = (v: any): boolean =>
  text(v.tool_name) &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  object(v.input) &&
  (v.permission_suggestions === undefined || list(v.permission_suggestions, isPermissionUpdate)) &&
  optionalText(v.blocked_path) &&
  optionalText(v.decision_reason) &&
  optionalText(v.decision_reason_type) &&
  optionalFlag(v.classifier_approvable) &&
  optionalFlag(v.suppress_always_allow_rule) &&
  optionalFlag(v.default_to_no) &&
  (v.matched_ask_rule === undefined || is_SDKControlPermissionRequest_matched_ask_rule(v.matched_ask_rule)) &&
  optionalText(v.title) &&
  optionalText(v.display_name) &&
  text(v.tool_use_id) &&
  optionalText(v.agent_id) &&
  optionalText(v.description) &&
  optionalFlag(v.requires_user_interaction) &&
  optionalFlag(v.server_policy_ask_only);
const is_PreToolUseHookInput_effort = (v: any): boolean => object(v) && text(v.level);
const isPreToolUseHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  has(v, 'tool_input') &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  text(v.tool_use_id);
const isPostToolUseHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  has(v, 'tool_input') &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  text(v.tool_use_id) &&
  has(v, 'tool_response') &&
  optionalNumber(v.duration_ms);
const isPostToolUseFailureHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  has(v, 'tool_input') &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  text(v.tool_use_id) &&
  text(v.error) &&
  optionalFlag(v.is_interrupt) &&
  optionalNumber(v.duration_ms);
const isPostToolBatchToolCall = (v: any): boolean =>
  object(v) && text(v.tool_name) && has(v, 'tool_input') && text(v.tool_use_id);
const isPostToolBatchHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  list(v.tool_calls, isPostToolBatchToolCall);
const isPermissionRequestHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  has(v, 'tool_input') &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  (v.permission_suggestions === undefined || list(v.permission_suggestions, isPermissionUpdate));
const isPermissionDeniedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  has(v, 'tool_input') &&
  (v.mcp_server === undefined || isMcpServerProvenance(v.mcp_server)) &&
  text(v.tool_use_id) &&
  text(v.reason);
const is_PreSkillShellCommandHookInput_tool_input = (v: any): boolean => object(v) && text(v.command);
const isPreSkillShellCommandHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.tool_name) &&
  is_PreSkillShellCommandHookInput_tool_input(v.tool_input) &&
  text(v.tool_use_id) &&
  text(v.command_name) &&
  optionalText(v.command_source) &&
  text(v.invoked_by);
const isUserPromptSubmitHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.prompt) &&
  optionalText(v.source) &&
  optionalText(v.session_title);
const isUserPromptExpansionHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.expansion_type) &&
  text(v.command_name) &&
  text(v.command_args) &&
  optionalText(v.command_source) &&
  text(v.prompt);
const isNotificationHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.message) &&
  optionalText(v.title) &&
  text(v.notification_type);
const isMessageDisplayHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.turn_id) &&
  text(v.message_id) &&
  number(v.index) &&
  flag(v.final) &&
  text(v.delta);
const isElicitationHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.mcp_server_name) &&
  text(v.message) &&
  optionalText(v.mode) &&
  optionalText(v.url) &&
  optionalText(v.elicitation_id) &&
  (v.requested_schema === undefined || object(v.requested_schema));
const isElicitationResultHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.mcp_server_name) &&
  optionalText(v.elicitation_id) &&
  optionalText(v.mode) &&
  text(v.action) &&
  (v.content === undefined || object(v.content));
const isSetupHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.trigger);
const isSessionStartHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.source) &&
  optionalText(v.model) &&
  optionalText(v.session_title) &&
  optionalNumber(v.seconds_since_last_response) &&
  optionalNumber(v.context_tokens) &&
  optionalFlag(v.prompt_cache_likely_expired) &&
  optionalNumber(v.estimated_cache_write_usd);
const isSessionEndHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.reason);
const isPreCompactHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.trigger) &&
  nullableText(v.custom_instructions);
const isPostCompactHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.trigger) &&
  text(v.compact_summary);
const isPreModelSwitchHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.from_model) &&
  text(v.to_model) &&
  nullableText(v.requested_model) &&
  number(v.context_tokens) &&
  flag(v.prompt_cache_warm) &&
  text(v.cache_ttl) &&
  number(v.estimated_cache_write_usd) &&
  text(v.pricing) &&
  text(v.source);
const isPostModelSwitchHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.from_model) &&
  text(v.to_model) &&
  nullableText(v.requested_model) &&
  number(v.context_tokens) &&
  flag(v.prompt_cache_warm) &&
  text(v.cache_ttl) &&
  number(v.estimated_cache_write_usd) &&
  text(v.pricing) &&
  text(v.source);
const isBackgroundTaskSummary = (v: any): boolean =>
  object(v) &&
  text(v.id) &&
  text(v.type) &&
  text(v.status) &&
  text(v.description) &&
  optionalText(v.command) &&
  optionalText(v.agent_type) &&
  optionalText(v.server) &&
  optionalText(v.tool) &&
  optionalText(v.name);
const isSessionCronSummary = (v: any): boolean =>
  object(v) && text(v.id) && text(v.schedule) && flag(v.recurring) && text(v.prompt);
const isStopHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  flag(v.stop_hook_active) &&
  optionalText(v.last_assistant_message) &&
  (v.background_tasks === undefined || list(v.background_tasks, isBackgroundTaskSummary)) &&
  (v.session_crons === undefined || list(v.session_crons, isSessionCronSummary));
const isStopFailureHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.error) &&
  optionalText(v.error_details) &&
  optionalText(v.last_assistant_message);
const isSubagentStartHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  text(v.agent_id) &&
  text(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort));
const isSubagentStopHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  text(v.agent_id) &&
  text(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  flag(v.stop_hook_active) &&
  text(v.agent_transcript_path) &&
  optionalText(v.last_assistant_message) &&
  (v.background_tasks === undefined || list(v.background_tasks, isBackgroundTaskSummary)) &&
  (v.session_crons === undefined || list(v.session_crons, isSessionCronSummary));
const isTeammateIdleHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.teammate_name) &&
  text(v.team_name);
const isTaskCreatedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.task_id) &&
  text(v.task_subject) &&
  optionalText(v.task_description) &&
  optionalText(v.team_name) &&
  optionalText(v.teammate_name);
const isTaskCompletedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.task_id) &&
  text(v.task_subject) &&
  optionalText(v.task_description) &&
  optionalText(v.team_name) &&
  optionalText(v.teammate_name);
const isInstructionsLoadedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.file_path) &&
  text(v.memory_type) &&
  text(v.load_reason) &&
  (v.globs === undefined || texts(v.globs)) &&
  optionalText(v.trigger_file_path) &&
  optionalText(v.parent_file_path);
const isConfigChangeHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.source) &&
  optionalText(v.file_path);
const isCwdChangedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.old_cwd) &&
  text(v.new_cwd);
const isDirectoryAddedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.directory) &&
  text(v.source);
const isFileChangedHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.file_path) &&
  text(v.event);
const isWorktreeCreateHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.name);
const isWorktreeRemoveHookInput = (v: any): boolean =>
  text(v.session_id) &&
  text(v.transcript_path) &&
  text(v.cwd) &&
  optionalText(v.prompt_id) &&
  optionalText(v.permission_mode) &&
  optionalText(v.agent_id) &&
  optionalText(v.agent_type) &&
  (v.effort === undefined || is_PreToolUseHookInput_effort(v.effort)) &&
  text(v.worktree_path);
const isHookInput = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.hook_event_name) {
    case 'PreToolUse':
      return isPreToolUseHookInput(v);
    case 'PostToolUse':
      return isPostToolUseHookInput(v);
    case 'PostToolUseFailure':
      return isPostToolUseFailureHookInput(v);
    case 'PostToolBatch':
      return isPostToolBatchHookInput(v);
    case 'PermissionRequest':
      return isPermissionRequestHookInput(v);
    case 'PermissionDenied':
      return isPermissionDeniedHookInput(v);
    case 'PreSkillShellCommand':
      return isPreSkillShellCommandHookInput(v);
    case 'UserPromptSubmit':
      return isUserPromptSubmitHookInput(v);
    case 'UserPromptExpansion':
      return isUserPromptExpansionHookInput(v);
    case 'Notification':
      return isNotificationHookInput(v);
    case 'MessageDisplay':
      return isMessageDisplayHookInput(v);
    case 'Elicitation':
      return isElicitationHookInput(v);
    case 'ElicitationResult':
      return isElicitationResultHookInput(v);
    case 'Setup':
      return isSetupHookInput(v);
    case 'SessionStart':
      return isSessionStartHookInput(v);
    case 'SessionEnd':
      return isSessionEndHookInput(v);
    case 'PreCompact':
      return isPreCompactHookInput(v);
    case 'PostCompact':
      return isPostCompactHookInput(v);
    case 'PreModelSwitch':
      return isPreModelSwitchHookInput(v);
    case 'PostModelSwitch':
      return isPostModelSwitchHookInput(v);
    case 'Stop':
      return isStopHookInput(v);
    case 'StopFailure':
      return isStopFailureHookInput(v);
    case 'SubagentStart':
      return isSubagentStartHookInput(v);
    case 'SubagentStop':
      return isSubagentStopHookInput(v);
    case 'TeammateIdle':
      return isTeammateIdleHookInput(v);
    case 'TaskCreated':
      return isTaskCreatedHookInput(v);
    case 'TaskCompleted':
      return isTaskCompletedHookInput(v);
    case 'InstructionsLoaded':
      return isInstructionsLoadedHookInput(v);
    case 'ConfigChange':
      return isConfigChangeHookInput(v);
    case 'CwdChanged':
      return isCwdChangedHookInput(v);
    case 'DirectoryAdded':
      return isDirectoryAddedHookInput(v);
    case 'FileChanged':
      return isFileChangedHookInput(v);
    case 'WorktreeCreate':
      return isWorktreeCreateHookInput(v);
    case 'WorktreeRemove':
      return isWorktreeRemoveHookInput(v);
    default:
      return text(v.hook_event_name);
  }
};
const isSDKHookCallbackRequest = (v: any): boolean =>
  text(v.callback_id) && isHookInput(v.input) && optionalText(v.tool_use_id);
const is_JSONRPCMessage_error = (v: any): boolean => object(v) && number(v.code) && text(v.message);
const isJSONRPCMessage = (v: any): boolean =>
  object(v) &&
  v.jsonrpc === '2.0' &&
  (v.id === undefined || v.id === null || text(v.id) || number(v.id)) &&
  optionalText(v.method) &&
  (v.params === undefined || object(v.params)) &&
  (v.result === undefined || object(v.result)) &&
  (v.error === undefined || is_JSONRPCMessage_error(v.error));
const isSDKControlMcpMessageRequest = (v: any): boolean => text(v.server_name) && isJSONRPCMessage(v.message);
const isSDKControlElicitationRequest = (v: any): boolean =>
  text(v.mcp_server_name) &&
  text(v.message) &&
  optionalText(v.mode) &&
  optionalText(v.url) &&
  optionalText(v.elicitation_id) &&
  (v.requested_schema === undefined || object(v.requested_schema)) &&
  (v.property_order === undefined || texts(v.property_order)) &&
  optionalText(v.title) &&
  optionalText(v.display_name) &&
  optionalText(v.description);
const isSDKControlRequestUserDialogRequest = (v: any): boolean =>
  text(v.dialog_kind) && object(v.payload) && optionalText(v.tool_use_id);
const is_agent_control_request_oauth_token_refresh = (_: any): boolean => true;
const is_agent_control_request_host_auth_token_refresh = (_: any): boolean => true;
const is_agent_control_request_remote_control_work_secret = (_: any): boolean => true;
const isSDKUpdateEnvironmentVariablesMessage = (v: any): boolean => map(v.variables, text);
const isSDKQueuedNotificationMessage = (_: any): boolean => true;
const isSDKHookCallbackMatcher = (v: any): boolean =>
  object(v) &&
  optionalNullableText(v.matcher) &&
  texts(v.hookCallbackIds) &&
  optionalNumber(v.timeout) &&
  optionalText(v.onFailure);
const is_SDKControlInitializeRequest_hooks = (v: any): boolean => list(v, isSDKHookCallbackMatcher);
const isMcpServerToolPolicy = (v: any): boolean =>
  object(v) && text(v.name) && optionalText(v.permission_policy) && optionalText(v.org_max_permission);
const is_SDKControlInitializeRequest_sdkMcpServerConfigs = (v: any): boolean =>
  object(v) && optionalNumber(v.timeout) && (v.tools === undefined || list(v.tools, isMcpServerToolPolicy));
const is_SDKControlInitializeRequest_sdkMcpServerManifests = (v: any): boolean =>
  object(v) && object(v.initializeResult) && (v.toolsListResult === undefined || object(v.toolsListResult));
const isMcpStdioServerConfig = (v: any): boolean =>
  text(v.command) &&
  (v.args === undefined || texts(v.args)) &&
  (v.env === undefined || map(v.env, text)) &&
  optionalNumber(v.timeout) &&
  optionalFlag(v.alwaysLoad);
const isMcpSSEServerConfig = (v: any): boolean =>
  text(v.url) &&
  (v.headers === undefined || map(v.headers, text)) &&
  (v.tools === undefined || list(v.tools, isMcpServerToolPolicy)) &&
  optionalNumber(v.timeout) &&
  optionalFlag(v.alwaysLoad);
const isMcpHttpServerConfig = (v: any): boolean =>
  text(v.url) &&
  (v.headers === undefined || map(v.headers, text)) &&
  (v.tools === undefined || list(v.tools, isMcpServerToolPolicy)) &&
  optionalNumber(v.timeout) &&
  optionalFlag(v.alwaysLoad);
const isMcpSdkServerConfig = (v: any): boolean =>
  text(v.name) && optionalNumber(v.timeout) && (v.tools === undefined || list(v.tools, isMcpServerToolPolicy));
const isMcpServerConfigForProcessTransport = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'stdio':
    case undefined:
      return isMcpStdioServerConfig(v);
    case 'sse':
      return isMcpSSEServerConfig(v);
    case 'http':
      return isMcpHttpServerConfig(v);
    case 'sdk':
      return isMcpSdkServerConfig(v);
    default:
      return text(v.type);
  }
};
const isAgentMcpServerSpec = (v: any): boolean => text(v) || map(v, isMcpServerConfigForProcessTransport);
const isAgentDefinition = (v: any): boolean =>
  object(v) &&
  text(v.description) &&
  (v.tools === undefined || texts(v.tools)) &&
  (v.disallowedTools === undefined || texts(v.disallowedTools)) &&
  text(v.prompt) &&
  optionalText(v.model) &&
  (v.mcpServers === undefined || list(v.mcpServers, isAgentMcpServerSpec)) &&
  optionalText(v.criticalSystemReminder_EXPERIMENTAL) &&
  (v.skills === undefined || texts(v.skills)) &&
  optionalText(v.initialPrompt) &&
  optionalNumber(v.maxTurns) &&
  optionalNumber(v.autoCompactWindow) &&
  optionalFlag(v.background) &&
  optionalFlag(v.omitClaudeMd) &&
  optionalText(v.memory) &&
  (v.effort === undefined || text(v.effort) || number(v.effort)) &&
  optionalText(v.permissionMode) &&
  optionalText(v.observer) &&
  optionalText(v.observerMessage);
const isSdkPluginConfig = (v: any): boolean =>
  object(v) && text(v.type) && text(v.path) && optionalFlag(v.skipMcpDiscovery);
const isSDKControlInitializeRequest = (v: any): boolean =>
  (v.hooks === undefined || v.hooks === null || map(v.hooks, is_SDKControlInitializeRequest_hooks)) &&
  (v.sdkMcpServers === undefined || texts(v.sdkMcpServers)) &&
  (v.sdkMcpServerConfigs === undefined ||
    map(v.sdkMcpServerConfigs, is_SDKControlInitializeRequest_sdkMcpServerConfigs)) &&
  (v.sdkMcpServerManifests === undefined ||
    map(v.sdkMcpServerManifests, is_SDKControlInitializeRequest_sdkMcpServerManifests)) &&
  optionalText(v.sdkMcpServerManifestsOrigin) &&
  (v.jsonSchema === undefined || object(v.jsonSchema)) &&
  (v.systemPrompt === undefined || texts(v.systemPrompt)) &&
  optionalText(v.appendSystemPrompt) &&
  optionalFlag(v.systemPromptSnapshot) &&
  optionalText(v.planModeInstructions) &&
  (v.toolAliases === undefined || map(v.toolAliases, text)) &&
  optionalFlag(v.excludeDynamicSections) &&
  (v.agents === undefined || map(v.agents, isAgentDefinition)) &&
  optionalText(v.title) &&
  (v.skills === undefined || texts(v.skills)) &&
  optionalFlag(v.promptSuggestions) &&
  optionalFlag(v.agentProgressSummaries) &&
  optionalFlag(v.forwardSubagentText) &&
  (v.supportedDialogKinds === undefined || texts(v.supportedDialogKinds)) &&
  optionalFlag(v.perTaskStopAffordance) &&
  (v.plugins === undefined || list(v.plugins, isSdkPluginConfig)) &&
  (v.mcpServers === undefined || map(v.mcpServers, isMcpServerConfigForProcessTransport));
const isSDKControlInterruptRequest = (v: any): boolean => optionalFlag(v.cancel_queued);
const isSDKControlRenameSessionRequest = (v: any): boolean =>
  text(v.title) && optionalText(v.source) && optionalText(v.session_id);
const isSDKControlSetColorRequest = (v: any): boolean => text(v.color);
const isSDKControlCancelAsyncMessageRequest = (v: any): boolean => text(v.message_uuid);
const isSDKControlSetHasSubscribersRequest = (v: any): boolean => v.has_subscribers === null || flag(v.has_subscribers);
const isSDKControlGetSessionCostRequest = (_: any): boolean => true;
const isSDKControlGetBinaryVersionRequest = (_: any): boolean => true;
const isSDKControlSetModelRequest = (v: any): boolean => optionalNullableText(v.model);
const isSDKControlSetMaxThinkingTokensRequest = (v: any): boolean =>
  optionalNullableNumber(v.max_thinking_tokens) && optionalNullableText(v.thinking_display);
const isSDKControlListModelsRequest = (_: any): boolean => true;
const isSDKControlSetPermissionModeRequest = (v: any): boolean => text(v.mode);
const isSDKControlListPermissionRulesRequest = (_: any): boolean => true;
const isSDKControlGetHooksListingRequest = (_: any): boolean => true;
const isSDKControlMcpStatusRequest = (v: any): boolean => optionalFlag(v.liveReply);
const is_SDKControlMcpCallRequest_input_files = (v: any): boolean => object(v) && text(v.name) && text(v.lane_path);
const is_SDKControlMcpCallRequest_output_files = (v: any): boolean =>
  object(v) && text(v.name) && text(v.lane_path) && optionalText(v.if_match);
const isSDKControlMcpCallRequest = (v: any): boolean =>
  text(v.tool) &&
  (v.arguments === undefined || object(v.arguments)) &&
  optionalText(v.expires_at) &&
  optionalNumber(v.timeout_ms) &&
  optionalFlag(v.result_not_for_model) &&
  optionalFlag(v.check_permissions) &&
  optionalFlag(v.soft_error_result) &&
  (v.input_files === undefined || list(v.input_files, is_SDKControlMcpCallRequest_input_files)) &&
  (v.output_files === undefined || list(v.output_files, is_SDKControlMcpCallRequest_output_files));
const isSDKControlMcpSetServersRequest = (v: any): boolean => map(v.servers, isMcpServerConfigForProcessTransport);
const isSDKControlMcpReconnectRequest = (v: any): boolean => text(v.serverName);
const isSDKControlMcpToggleRequest = (v: any): boolean => text(v.serverName) && flag(v.enabled);
const isSDKControlMcpReadResourceRequest = (v: any): boolean => text(v.serverName) && text(v.uri);
const isSDKControlFileSuggestionsRequest = (v: any): boolean => text(v.query);
const isSDKControlReadFileRequest = (v: any): boolean =>
  text(v.path) && optionalNumber(v.max_bytes) && optionalText(v.encoding);
const isSDKControlSeedReadStateRequest = (v: any): boolean => text(v.path) && number(v.mtime);
const isSDKControlRewindFilesRequest = (v: any): boolean => text(v.user_message_id) && optionalFlag(v.dry_run);
const isSDKControlRegisterRepoRootRequest = (v: any): boolean =>
  text(v.directory) &&
  optionalFlag(v.reload_claude_md) &&
  optionalFlag(v.reload_plugins) &&
  optionalFlag(v.reload_skills);
const isSDKControlReloadPluginsRequest = (v: any): boolean =>
  optionalFlag(v.hold_on_cache_impact) &&
  (v.add_plugins === undefined || list(v.add_plugins, isSdkPluginConfig)) &&
  optionalFlag(v.refuse_if_busy);
const isSDKControlReloadSkillsRequest = (_: any): boolean => true;
const isSDKControlReloadOutputStylesRequest = (_: any): boolean => true;
const isSDKControlStopTaskRequest = (v: any): boolean => text(v.task_id);
const isSDKControlBackgroundTasksRequest = (v: any): boolean => optionalText(v.tool_use_id);
const isSDKControlGetTaskOutputRequest = (v: any): boolean => text(v.task_id);
const isSDKControlApplyFlagSettingsRequest = (v: any): boolean => object(v.settings);
const isSDKControlGetSettingsRequest = (_: any): boolean => true;
const isSDKControlUpdateSettingsRequest = (v: any): boolean => text(v.source) && object(v.settings);
const isSDKControlGetContextUsageRequest = (v: any): boolean => optionalText(v.detail);
const isSDKControlGetUsageRequest = (v: any): boolean => optionalFlag(v.skip_behaviors);
const is_host_control_request_channel_enable = (_: any): boolean => true;
const is_host_control_request_claim_session = (_: any): boolean => true;
const is_host_control_request_claude_authenticate = (_: any): boolean => true;
const is_host_control_request_claude_oauth_callback = (_: any): boolean => true;
const is_host_control_request_claude_oauth_wait_for_completion = (_: any): boolean => true;
const is_host_control_request_end_session = (_: any): boolean => true;
const is_host_control_request_export_conversation = (_: any): boolean => true;
const is_host_control_request_generate_session_title = (_: any): boolean => true;
const is_host_control_request_get_chrome_browsers = (_: any): boolean => true;
const is_host_control_request_get_chrome_dialog = (_: any): boolean => true;
const is_host_control_request_get_memory_dialog = (_: any): boolean => true;
const is_host_control_request_get_plan = (_: any): boolean => true;
const is_host_control_request_get_sandbox_dialog = (_: any): boolean => true;
const is_host_control_request_get_skills_dialog = (_: any): boolean => true;
const is_host_control_request_get_status = (_: any): boolean => true;
const is_host_control_request_mcp_authenticate = (_: any): boolean => true;
const is_host_control_request_mcp_clear_auth = (_: any): boolean => true;
const is_host_control_request_mcp_oauth_callback_url = (_: any): boolean => true;
const is_host_control_request_message_rated = (_: any): boolean => true;
const is_host_control_request_remote_control = (_: any): boolean => true;
const is_host_control_request_rewind_conversation = (_: any): boolean => true;
const is_host_control_request_select_chrome_browser = (_: any): boolean => true;
const is_host_control_request_set_chrome_browser_hints = (_: any): boolean => true;
const is_host_control_request_set_cwd = (_: any): boolean => true;
const is_host_control_request_set_mcp_permission_mode_override = (_: any): boolean => true;
const is_host_control_request_set_prompt_suggestions_paused = (_: any): boolean => true;
const is_host_control_request_side_question = (_: any): boolean => true;
const is_host_control_request_submit_feedback = (_: any): boolean => true;
const is_host_control_request_submit_survey_feedback = (_: any): boolean => true;
const is_host_control_request_ultrareview_launch = (_: any): boolean => true;
const isAgentInfo = (v: any): boolean => object(v) && text(v.name) && text(v.description) && optionalText(v.model);
const isModelInfo = (v: any): boolean =>
  object(v) &&
  text(v.value) &&
  optionalText(v.resolvedModel) &&
  text(v.displayName) &&
  text(v.description) &&
  optionalFlag(v.supportsEffort) &&
  (v.supportedEffortLevels === undefined || texts(v.supportedEffortLevels)) &&
  optionalFlag(v.supportsAdaptiveThinking) &&
  optionalFlag(v.supportsFastMode) &&
  optionalFlag(v.supportsAutoMode) &&
  optionalFlag(v.supportsThinkingOff);
const isAccountInfo = (v: any): boolean =>
  object(v) &&
  optionalText(v.email) &&
  optionalText(v.organization) &&
  optionalText(v.subscriptionType) &&
  optionalText(v.tokenSource) &&
  optionalText(v.apiKeySource) &&
  optionalText(v.apiProvider);
const isSDKControlInitializeResponse = (v: any): boolean =>
  object(v) &&
  list(v.commands, isSlashCommand) &&
  list(v.agents, isAgentInfo) &&
  text(v.output_style) &&
  texts(v.available_output_styles) &&
  list(v.models, isModelInfo) &&
  isAccountInfo(v.account) &&
  optionalFlag(v.hooks_applied) &&
  optionalFlag(v.hook_on_failure_supported) &&
  optionalFlag(v.plugins_applied) &&
  optionalFlag(v.mcp_servers_applied) &&
  (v.sdk_mcp_manifests_parked === undefined || map(v.sdk_mcp_manifests_parked, text)) &&
  optionalText(v.claude_code_version) &&
  optionalText(v.fast_mode_state) &&
  optionalText(v.fast_mode_disabled_reason) &&
  optionalText(v.user_output_styles_dir) &&
  optionalNumber(v.pid) &&
  optionalText(v.current_permission_mode) &&
  optionalText(v.session_state) &&
  (v.capabilities === undefined || texts(v.capabilities)) &&
  optionalNumber(v.hooks_when_unanswered_kept) &&
  optionalFlag(v.other_hook_ask_outranks_host) &&
  (v.feedback_mode === undefined || object(v.feedback_mode)) &&
  optionalFlag(v.analytics_disabled) &&
  (v.sandbox_enabled === undefined || flag(v.sandbox_enabled) || v.sandbox_enabled === 'unknown') &&
  optionalFlag(v.remote_control_auto_enable) &&
  optionalFlag(v.remote_control_auto_connect_default) &&
  optionalFlag(v.remote_control_available) &&
  optionalFlag(v.remote_control_auto_on_by_default) &&
  optionalFlag(v.ide_rc_auto_enable_gate);
const isSDKControlInterruptResponse = (v: any): boolean =>
  object(v) &&
  (v.still_queued === undefined || texts(v.still_queued)) &&
  (v.cancelled === undefined || texts(v.cancelled));
const is_rename_session_answer = (v: any): boolean => object(v);
const is_set_color_answer = (v: any): boolean => object(v);
const isSDKControlCancelAsyncMessageResponse = (v: any): boolean =>
  object(v) && optionalFlag(v.cancelled) && optionalText(v.message_uuid);
const is_set_has_subscribers_answer = (v: any): boolean => object(v);
const isSDKControlGetSessionCostResponse = (v: any): boolean => object(v) && optionalText(v.text);
const isSDKControlGetBinaryVersionResponse = (v: any): boolean =>
  object(v) && optionalText(v.version) && optionalText(v.buildTime) && optionalText(v.oldestDesktopSdk);
const isSDKControlSetModelResponse = (v: any): boolean => object(v) && optionalNullableText(v.model);
const is_set_max_thinking_tokens_answer = (v: any): boolean => object(v);
const isSDKControlListModelsResponse = (v: any): boolean =>
  object(v) && (v.models === undefined || list(v.models, isModelInfo));
const isPermissionResult = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.behavior) {
    case 'allow':
      return (
        (v.updatedInput === undefined || object(v.updatedInput)) &&
        (v.updatedPermissions === undefined || list(v.updatedPermissions, isPermissionUpdate)) &&
        optionalText(v.toolUseID) &&
        optionalText(v.decisionClassification)
      );
    case 'deny':
      return (
        optionalText(v.message) &&
        optionalFlag(v.interrupt) &&
        optionalText(v.toolUseID) &&
        optionalText(v.decisionClassification)
      );
    default:
      return false;
  }
};
const isSDKControlSetPermissionModeResponse = (v: any): boolean => object(v) && optionalText(v.mode);
const isSDKPermissionRuleDescription = (v: any): boolean =>
  object(v) && text(v.prefix) && optionalText(v.emphasis) && optionalText(v.suffix);
const isSDKPermissionRuleEntry = (v: any): boolean =>
  object(v) &&
  text(v.behavior) &&
  text(v.source) &&
  text(v.rule) &&
  (v.description === undefined || isSDKPermissionRuleDescription(v.description)) &&
  text(v.editability) &&
  optionalFlag(v.notInEffect);
const isSDKPermissionWorkspaceDirectory = (v: any): boolean => object(v) && text(v.path) && text(v.source);
const isSDKSettingsParseError = (v: any): boolean =>
  object(v) && optionalText(v.file) && text(v.path) && text(v.message);
const isSDKControlPermissionRulesState = (v: any): boolean =>
  object(v) &&
  list(v.rules, isSDKPermissionRuleEntry) &&
  list(v.workspaceDirectories, isSDKPermissionWorkspaceDirectory) &&
  text(v.originalCwd) &&
  flag(v.managedOnly) &&
  (v.errors === undefined || list(v.errors, isSDKSettingsParseError)) &&
  optionalFlag(v.withheld);
const isSDKControlListPermissionRulesResponse = (v: any): boolean =>
  object(v) && isSDKControlPermissionRulesState(v.state);
const isAsyncHookJSONOutput = (v: any): boolean => optionalNumber(v.asyncTimeout);
const isPreToolUseHookSpecificOutput = (v: any): boolean =>
  optionalText(v.permissionDecision) &&
  optionalText(v.permissionDecisionReason) &&
  (v.updatedInput === undefined || object(v.updatedInput)) &&
  optionalText(v.additionalContext);
const isPostToolUseHookSpecificOutput = (v: any): boolean =>
  optionalText(v.additionalContext) && optionalText(v.classifierContext);
const isPostToolUseFailureHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isPostToolBatchHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const is_PermissionRequestHookSpecificOutput_decision = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.behavior) {
    case 'allow':
      return (
        (v.updatedInput === undefined || object(v.updatedInput)) &&
        (v.updatedPermissions === undefined || list(v.updatedPermissions, isPermissionUpdate))
      );
    case 'deny':
      return optionalText(v.message) && optionalFlag(v.interrupt);
    default:
      return false;
  }
};
const isPermissionRequestHookSpecificOutput = (v: any): boolean =>
  is_PermissionRequestHookSpecificOutput_decision(v.decision);
const isPermissionDeniedHookSpecificOutput = (v: any): boolean => optionalFlag(v.retry);
const isPreSkillShellCommandHookSpecificOutput = (v: any): boolean =>
  optionalText(v.permissionDecision) &&
  optionalText(v.permissionDecisionReason) &&
  (v.updatedInput === undefined || object(v.updatedInput));
const isUserPromptSubmitHookSpecificOutput = (v: any): boolean =>
  optionalText(v.additionalContext) && optionalText(v.sessionTitle) && optionalFlag(v.suppressOriginalPrompt);
const isUserPromptExpansionHookSpecificOutput = (v: any): boolean =>
  optionalText(v.additionalContext) && optionalFlag(v.suppressOriginalPrompt);
const isNotificationHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isMessageDisplayHookSpecificOutput = (v: any): boolean => optionalText(v.displayContent);
const isElicitationHookSpecificOutput = (v: any): boolean =>
  optionalText(v.action) && (v.content === undefined || object(v.content));
const isElicitationResultHookSpecificOutput = (v: any): boolean =>
  optionalText(v.action) && (v.content === undefined || object(v.content));
const isSetupHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isSessionStartHookSpecificOutput = (v: any): boolean =>
  optionalText(v.additionalContext) &&
  optionalText(v.initialUserMessage) &&
  optionalText(v.sessionTitle) &&
  (v.watchPaths === undefined || texts(v.watchPaths)) &&
  optionalFlag(v.reloadSkills);
const isPreModelSwitchHookSpecificOutput = (v: any): boolean =>
  optionalText(v.permissionDecision) && optionalText(v.permissionDecisionReason);
const isPostModelSwitchHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isStopHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isSubagentStartHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isSubagentStopHookSpecificOutput = (v: any): boolean => optionalText(v.additionalContext);
const isCwdChangedHookSpecificOutput = (v: any): boolean => v.watchPaths === undefined || texts(v.watchPaths);
const isFileChangedHookSpecificOutput = (v: any): boolean => v.watchPaths === undefined || texts(v.watchPaths);
const isWorktreeCreateHookSpecificOutput = (v: any): boolean => text(v.worktreePath);
const isHookSpecificOutput = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.hookEventName) {
    case 'PreToolUse':
      return isPreToolUseHookSpecificOutput(v);
    case 'PostToolUse':
      return isPostToolUseHookSpecificOutput(v);
    case 'PostToolUseFailure':
      return isPostToolUseFailureHookSpecificOutput(v);
    case 'PostToolBatch':
      return isPostToolBatchHookSpecificOutput(v);
    case 'PermissionRequest':
      return isPermissionRequestHookSpecificOutput(v);
    case 'PermissionDenied':
      return isPermissionDeniedHookSpecificOutput(v);
    case 'PreSkillShellCommand':
      return isPreSkillShellCommandHookSpecificOutput(v);
    case 'UserPromptSubmit':
      return isUserPromptSubmitHookSpecificOutput(v);
    case 'UserPromptExpansion':
      return isUserPromptExpansionHookSpecificOutput(v);
    case 'Notification':
      return isNotificationHookSpecificOutput(v);
    case 'MessageDisplay':
      return isMessageDisplayHookSpecificOutput(v);
    case 'Elicitation':
      return isElicitationHookSpecificOutput(v);
    case 'ElicitationResult':
      return isElicitationResultHookSpecificOutput(v);
    case 'Setup':
      return isSetupHookSpecificOutput(v);
    case 'SessionStart':
      return isSessionStartHookSpecificOutput(v);
    case 'PreModelSwitch':
      return isPreModelSwitchHookSpecificOutput(v);
    case 'PostModelSwitch':
      return isPostModelSwitchHookSpecificOutput(v);
    case 'Stop':
      return isStopHookSpecificOutput(v);
    case 'SubagentStart':
      return isSubagentStartHookSpecificOutput(v);
    case 'SubagentStop':
      return isSubagentStopHookSpecificOutput(v);
    case 'CwdChanged':
      return isCwdChangedHookSpecificOutput(v);
    case 'FileChanged':
      return isFileChangedHookSpecificOutput(v);
    case 'WorktreeCreate':
      return isWorktreeCreateHookSpecificOutput(v);
    default:
      return text(v.hookEventName);
  }
};
const isSyncHookJSONOutput = (v: any): boolean =>
  optionalFlag(v.continue) &&
  optionalFlag(v.suppressOutput) &&
  optionalText(v.stopReason) &&
  optionalText(v.decision) &&
  optionalText(v.systemMessage) &&
  optionalText(v.terminalSequence) &&
  optionalText(v.reason) &&
  (v.hookSpecificOutput === undefined || isHookSpecificOutput(v.hookSpecificOutput));
const isHookJSONOutput = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.async) {
    case true:
      return isAsyncHookJSONOutput(v);
    case false:
    case undefined:
      return isSyncHookJSONOutput(v);
    default:
      return false;
  }
};
const is_SDKControlGetHooksListingResponse_events = (v: any): boolean =>
  object(v) && text(v.name) && text(v.summary) && flag(v.supportsMatcher) && number(v.hookCount);
const is_SDKControlGetHooksListingResponse_hooks_editable = (v: any): boolean =>
  object(v) && text(v.matcher) && object(v.config) && (v.headersRedacted === undefined || v.headersRedacted === true);
const is_SDKControlGetHooksListingResponse_hooks = (v: any): boolean =>
  object(v) &&
  text(v.event) &&
  text(v.matcher) &&
  text(v.source) &&
  text(v.sourceLabel) &&
  optionalText(v.pluginName) &&
  text(v.type) &&
  text(v.displayText) &&
  text(v.commandText) &&
  text(v.contentLabel) &&
  optionalText(v.condition) &&
  optionalNumber(v.timeout) &&
  optionalText(v.statusMessage) &&
  optionalFlag(v.runsOnce) &&
  optionalFlag(v.runsInBackground) &&
  (v.disabled === undefined || v.disabled === true) &&
  (v.editable === undefined || is_SDKControlGetHooksListingResponse_hooks_editable(v.editable));
const is_SDKControlGetHooksListingResponse_eventCatalog = (v: any): boolean =>
  object(v) && text(v.name) && text(v.summary) && flag(v.supportsMatcher);
const is_SDKControlGetHooksListingResponse_policy = (v: any): boolean =>
  object(v) &&
  flag(v.disabledByPolicy) &&
  flag(v.managedOnly) &&
  flag(v.pluginOnly) &&
  flag(v.allDisabled) &&
  number(v.policyHookCount) &&
  (v.policyUnreadable === undefined || v.policyUnreadable === true);
const is_SDKControlGetHooksListingResponse_safeMode = (v: any): boolean =>
  object(v) && flag(v.managedHooksStillApply) && text(v.exitHint);
const is_SDKControlGetHooksListingResponse_bareMode = (v: any): boolean => object(v) && text(v.exitHint);
const isSDKControlGetHooksListingResponse = (v: any): boolean =>
  object(v) &&
  list(v.events, is_SDKControlGetHooksListingResponse_events) &&
  list(v.hooks, is_SDKControlGetHooksListingResponse_hooks) &&
  list(v.eventCatalog, is_SDKControlGetHooksListingResponse_eventCatalog) &&
  is_SDKControlGetHooksListingResponse_policy(v.policy) &&
  (v.safeMode === undefined || is_SDKControlGetHooksListingResponse_safeMode(v.safeMode)) &&
  (v.bareMode === undefined || is_SDKControlGetHooksListingResponse_bareMode(v.bareMode)) &&
  (v.errors === undefined || list(v.errors, isSDKSettingsParseError));
const isSDKControlMcpMessageResponse = (v: any): boolean =>
  object(v) && (v.mcp_response === undefined || isJSONRPCMessage(v.mcp_response));
const is_McpServerStatus_serverInfo = (v: any): boolean => object(v) && text(v.name) && text(v.version);
const isMcpClaudeAIProxyServerConfig = (v: any): boolean => text(v.url) && text(v.id) && optionalNumber(v.timeout);
const isMcpServerStatusConfig = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.type) {
    case 'stdio':
    case undefined:
      return isMcpStdioServerConfig(v);
    case 'sse':
      return isMcpSSEServerConfig(v);
    case 'http':
      return isMcpHttpServerConfig(v);
    case 'sdk':
      return isMcpSdkServerConfig(v);
    case 'claudeai-proxy':
      return isMcpClaudeAIProxyServerConfig(v);
    default:
      return text(v.type);
  }
};
const is_McpServerStatus_tools_annotations = (v: any): boolean =>
  object(v) && optionalFlag(v.readOnly) && optionalFlag(v.destructive) && optionalFlag(v.openWorld);
const is_McpServerStatus_tools = (v: any): boolean =>
  object(v) &&
  text(v.name) &&
  optionalText(v.description) &&
  (v.annotations === undefined || is_McpServerStatus_tools_annotations(v.annotations)) &&
  (v._meta === undefined || object(v._meta));
const isMcpServerStatus = (v: any): boolean =>
  object(v) &&
  text(v.name) &&
  text(v.status) &&
  (v.serverInfo === undefined || is_McpServerStatus_serverInfo(v.serverInfo)) &&
  optionalText(v.error) &&
  (v.config === undefined || isMcpServerStatusConfig(v.config)) &&
  optionalText(v.scope) &&
  optionalText(v.source) &&
  optionalText(v.transport) &&
  (v.tools === undefined || list(v.tools, is_McpServerStatus_tools));
const isSDKControlMcpStatusResponse = (v: any): boolean => object(v) && list(v.mcpServers, isMcpServerStatus);
const isSDKControlMcpCallResponse = (v: any): boolean =>
  object(v) && optionalFlag(v.isError) && (v._meta === undefined || object(v._meta));
const isMcpSetServersResult = (v: any): boolean =>
  object(v) && texts(v.added) && texts(v.removed) && map(v.errors, text);
const is_mcp_reconnect_answer = (v: any): boolean => object(v);
const is_mcp_toggle_answer = (v: any): boolean => object(v);
const is_SDKControlMcpReadResourceResponse_contents = (v: any): boolean =>
  object(v) &&
  text(v.uri) &&
  optionalText(v.mimeType) &&
  optionalText(v.text) &&
  optionalText(v.blob) &&
  (v._meta === undefined || object(v._meta));
const isSDKControlMcpReadResourceResponse = (v: any): boolean =>
  object(v) && list(v.contents, is_SDKControlMcpReadResourceResponse_contents);
const isSDKControlFileSuggestionsResponse = (v: any): boolean =>
  object(v) && (v.suggestions === undefined || Array.isArray(v.suggestions)) && optionalText(v.cwd);
const isSDKControlReadFileResponse = (v: any): boolean =>
  object(v) &&
  text(v.contents) &&
  text(v.absPath) &&
  optionalFlag(v.truncated) &&
  optionalText(v.encoding) &&
  optionalFlag(v.lossy) &&
  optionalText(v.requested_path);
const is_seed_read_state_answer = (v: any): boolean => object(v);
const isRewindFilesResult = (v: any): boolean =>
  object(v) &&
  flag(v.canRewind) &&
  optionalText(v.error) &&
  (v.filesChanged === undefined || texts(v.filesChanged)) &&
  optionalNumber(v.insertions) &&
  optionalNumber(v.deletions) &&
  optionalNumber(v.skippedLinks);
const is_register_repo_root_answer = (v: any): boolean => object(v);
const is_SDKControlReloadPluginsResponse_plugins = (v: any): boolean =>
  object(v) && text(v.name) && text(v.path) && optionalText(v.source) && optionalText(v.version);
const is_SDKControlReloadPluginsResponse_cache_impact = (v: any): boolean =>
  object(v) && texts(v.mcp_servers_added) && texts(v.mcp_servers_removed) && nullableText(v.lsp_tool_change);
const isSDKControlReloadPluginsResponse = (v: any): boolean =>
  object(v) &&
  list(v.commands, isSlashCommand) &&
  list(v.agents, isAgentInfo) &&
  list(v.plugins, is_SDKControlReloadPluginsResponse_plugins) &&
  list(v.mcpServers, isMcpServerStatus) &&
  number(v.error_count) &&
  optionalFlag(v.held) &&
  (v.cache_impact === undefined || is_SDKControlReloadPluginsResponse_cache_impact(v.cache_impact));
const isSDKControlReloadSkillsResponse = (v: any): boolean => object(v) && list(v.skills, isSlashCommand);
const isSDKControlReloadOutputStylesResponse = (v: any): boolean => object(v) && texts(v.available_output_styles);
const is_stop_task_answer = (v: any): boolean => object(v);
const isSDKControlBackgroundTasksResponse = (v: any): boolean => object(v) && optionalFlag(v.backgrounded);
const isSDKControlGetTaskOutputResponse = (v: any): boolean =>
  object(v) && text(v.output) && number(v.total_bytes) && flag(v.truncated);
const is_apply_flag_settings_answer = (v: any): boolean => object(v);
const isSDKControlGetSettingsResponse = (v: any): boolean =>
  object(v) &&
  (v.effective === undefined || object(v.effective)) &&
  (v.sources === undefined || Array.isArray(v.sources)) &&
  (v.applied === undefined || object(v.applied)) &&
  optionalText(v.served_settings_state);
const is_update_settings_answer = (v: any): boolean => object(v);
const is_SDKControlGetContextUsageResponse_categories = (v: any): boolean =>
  object(v) &&
  optionalText(v.id) &&
  text(v.name) &&
  number(v.tokens) &&
  text(v.color) &&
  optionalFlag(v.isDeferred) &&
  text(v.kind);
const is_is_SDKControlGetContextUsageResponse_gridRows = (v: any): boolean =>
  object(v) &&
  text(v.color) &&
  flag(v.isFilled) &&
  text(v.categoryName) &&
  number(v.tokens) &&
  number(v.percentage) &&
  number(v.squareFullness);
const is_SDKControlGetContextUsageResponse_gridRows = (v: any): boolean =>
  list(v, is_is_SDKControlGetContextUsageResponse_gridRows);
const is_SDKControlGetContextUsageResponse_memoryFiles = (v: any): boolean =>
  object(v) && text(v.path) && text(v.type) && number(v.tokens);
const is_SDKControlGetContextUsageResponse_mcpTools = (v: any): boolean =>
  object(v) && text(v.name) && text(v.serverName) && number(v.tokens) && optionalFlag(v.isLoaded);
const is_SDKControlGetContextUsageResponse_mcpInstructions = (v: any): boolean =>
  object(v) && text(v.serverName) && number(v.tokens);
const is_SDKControlGetContextUsageResponse_deferredBuiltinTools = (v: any): boolean =>
  object(v) && text(v.name) && number(v.tokens) && flag(v.isLoaded);
const is_SDKControlGetContextUsageResponse_systemTools = (v: any): boolean =>
  object(v) && text(v.name) && number(v.tokens);
const is_SDKControlGetContextUsageResponse_agents = (v: any): boolean =>
  object(v) &&
  text(v.agentType) &&
  text(v.source) &&
  optionalText(v.pluginId) &&
  optionalText(v.path) &&
  number(v.tokens);
const is_SDKControlGetContextUsageResponse_slashCommands = (v: any): boolean =>
  object(v) && number(v.totalCommands) && number(v.includedCommands) && number(v.tokens);
const is_SDKControlGetContextUsageResponse_skills_skillFrontmatter = (v: any): boolean =>
  object(v) &&
  text(v.name) &&
  text(v.source) &&
  optionalText(v.pluginName) &&
  optionalText(v.pluginId) &&
  optionalText(v.path) &&
  number(v.tokens);
const is_SDKControlGetContextUsageResponse_skills = (v: any): boolean =>
  object(v) &&
  number(v.totalSkills) &&
  number(v.includedSkills) &&
  number(v.tokens) &&
  list(v.skillFrontmatter, is_SDKControlGetContextUsageResponse_skills_skillFrontmatter);
const is_SDKControlGetContextUsageResponse_messageBreakdown_toolCallsByType = (v: any): boolean =>
  object(v) && text(v.name) && number(v.callTokens) && number(v.resultTokens);
const is_SDKControlGetContextUsageResponse_messageBreakdown = (v: any): boolean =>
  object(v) &&
  number(v.toolCallTokens) &&
  number(v.toolResultTokens) &&
  number(v.attachmentTokens) &&
  number(v.assistantMessageTokens) &&
  number(v.userMessageTokens) &&
  number(v.redirectedContextTokens) &&
  number(v.unattributedTokens) &&
  list(v.toolCallsByType, is_SDKControlGetContextUsageResponse_messageBreakdown_toolCallsByType) &&
  list(v.attachmentsByType, is_SDKControlGetContextUsageResponse_systemTools);
const is_SDKControlGetContextUsageResponse_apiUsage = (v: any): boolean =>
  object(v) &&
  number(v.input_tokens) &&
  number(v.output_tokens) &&
  number(v.cache_creation_input_tokens) &&
  number(v.cache_read_input_tokens);
const isSDKControlGetContextUsageResponse = (v: any): boolean =>
  object(v) &&
  list(v.categories, is_SDKControlGetContextUsageResponse_categories) &&
  number(v.totalTokens) &&
  number(v.maxTokens) &&
  number(v.rawMaxTokens) &&
  number(v.percentage) &&
  list(v.gridRows, is_SDKControlGetContextUsageResponse_gridRows) &&
  text(v.model) &&
  list(v.memoryFiles, is_SDKControlGetContextUsageResponse_memoryFiles) &&
  list(v.mcpTools, is_SDKControlGetContextUsageResponse_mcpTools) &&
  (v.mcpInstructions === undefined || list(v.mcpInstructions, is_SDKControlGetContextUsageResponse_mcpInstructions)) &&
  (v.deferredBuiltinTools === undefined ||
    list(v.deferredBuiltinTools, is_SDKControlGetContextUsageResponse_deferredBuiltinTools)) &&
  (v.systemTools === undefined || list(v.systemTools, is_SDKControlGetContextUsageResponse_systemTools)) &&
  (v.systemPromptSections === undefined ||
    list(v.systemPromptSections, is_SDKControlGetContextUsageResponse_systemTools)) &&
  list(v.agents, is_SDKControlGetContextUsageResponse_agents) &&
  (v.slashCommands === undefined || is_SDKControlGetContextUsageResponse_slashCommands(v.slashCommands)) &&
  (v.skills === undefined || is_SDKControlGetContextUsageResponse_skills(v.skills)) &&
  optionalNumber(v.autoCompactThreshold) &&
  flag(v.isAutoCompactEnabled) &&
  (v.messageBreakdown === undefined || is_SDKControlGetContextUsageResponse_messageBreakdown(v.messageBreakdown)) &&
  (v.apiUsage === null || is_SDKControlGetContextUsageResponse_apiUsage(v.apiUsage)) &&
  optionalText(v.autocompactSource);
const is_SDKControlGetUsageResponse_rate_limits_five_hour = (v: any): boolean =>
  object(v) && nullableNumber(v.utilization) && nullableText(v.resets_at);
const is_SDKControlGetUsageResponse_rate_limits_model_scoped = (v: any): boolean =>
  object(v) && text(v.display_name) && nullableNumber(v.utilization) && nullableText(v.resets_at);
const is_SDKControlGetUsageResponse_rate_limits = (v: any): boolean =>
  object(v) &&
  (v.five_hour === undefined ||
    v.five_hour === null ||
    is_SDKControlGetUsageResponse_rate_limits_five_hour(v.five_hour)) &&
  (v.seven_day === undefined ||
    v.seven_day === null ||
    is_SDKControlGetUsageResponse_rate_limits_five_hour(v.seven_day)) &&
  (v.seven_day_oauth_apps === undefined ||
    v.seven_day_oauth_apps === null ||
    is_SDKControlGetUsageResponse_rate_limits_five_hour(v.seven_day_oauth_apps)) &&
  (v.seven_day_opus === undefined ||
    v.seven_day_opus === null ||
    is_SDKControlGetUsageResponse_rate_limits_five_hour(v.seven_day_opus)) &&
  (v.seven_day_sonnet === undefined ||
    v.seven_day_sonnet === null ||
    is_SDKControlGetUsageResponse_rate_limits_five_hour(v.seven_day_sonnet)) &&
  (v.model_scoped === undefined || list(v.model_scoped, is_SDKControlGetUsageResponse_rate_limits_model_scoped)) &&
  (v.extra_usage === undefined || v.extra_usage === null || is_SDKUsageReport_rate_limits_extra_usage(v.extra_usage));
const is_SDKControlGetUsageResponse_behaviors_day_behaviors = (v: any): boolean =>
  object(v) && text(v.key) && number(v.pct) && number(v.count);
const is_SDKControlGetUsageResponse_behaviors_day_recommendations = (v: any): boolean =>
  object(v) && text(v.key) && number(v.pct) && text(v.title) && optionalText(v.detail);
const is_SDKControlGetUsageResponse_behaviors_day_fix = (v: any): boolean =>
  object(v) && texts(v.keys) && texts(v.messages);
const is_SDKControlGetUsageResponse_behaviors_day_agents = (v: any): boolean =>
  object(v) && text(v.name) && number(v.pct);
const is_SDKControlGetUsageResponse_behaviors_day = (v: any): boolean =>
  object(v) &&
  number(v.request_count) &&
  number(v.session_count) &&
  list(v.behaviors, is_SDKControlGetUsageResponse_behaviors_day_behaviors) &&
  (v.recommendations === undefined ||
    list(v.recommendations, is_SDKControlGetUsageResponse_behaviors_day_recommendations)) &&
  (v.fix === undefined || is_SDKControlGetUsageResponse_behaviors_day_fix(v.fix)) &&
  list(v.agents, is_SDKControlGetUsageResponse_behaviors_day_agents) &&
  list(v.skills, is_SDKControlGetUsageResponse_behaviors_day_agents) &&
  list(v.plugins, is_SDKControlGetUsageResponse_behaviors_day_agents) &&
  list(v.mcp_servers, is_SDKControlGetUsageResponse_behaviors_day_agents);
const is_SDKControlGetUsageResponse_behaviors = (v: any): boolean =>
  object(v) &&
  is_SDKControlGetUsageResponse_behaviors_day(v.day) &&
  is_SDKControlGetUsageResponse_behaviors_day(v.week);
const isSDKControlGetUsageResponse = (v: any): boolean =>
  object(v) &&
  is_SDKUsageReport_session(v.session) &&
  nullableText(v.subscription_type) &&
  flag(v.rate_limits_available) &&
  (v.rate_limits === null || is_SDKControlGetUsageResponse_rate_limits(v.rate_limits)) &&
  (v.behaviors === null || is_SDKControlGetUsageResponse_behaviors(v.behaviors));
const isElicitationResult = (v: any): boolean =>
  object(v) && text(v.action) && (v.content === undefined || object(v.content));
const isUserDialogResult = (v: any): boolean => {
  if (!object(v)) return false;
  switch (v.behavior) {
    case 'completed':
      return has(v, 'result');
    case 'cancelled':
      return true;
    default:
      return text(v.behavior);
  }
};
const is_export_conversation_answer = (v: any): boolean =>
  object(v) && optionalText(v.text) && optionalText(v.default_filename);
const is_generate_session_title_answer = (v: any): boolean => object(v) && optionalNullableText(v.title);
const is_get_memory_dialog_answer = (v: any): boolean =>
  object(v) &&
  (v.files === undefined || Array.isArray(v.files)) &&
  (v.folders === undefined || Array.isArray(v.folders)) &&
  (v.memories === undefined || Array.isArray(v.memories)) &&
  (v.auto_memory === undefined || object(v.auto_memory)) &&
  (v.auto_dream === undefined || object(v.auto_dream));
const is_get_plan_answer = (v: any): boolean => object(v) && optionalFlag(v.exists);
const is_get_skills_dialog_answer = (v: any): boolean =>
  object(v) && (v.skills === undefined || Array.isArray(v.skills));
const is_get_status_answer = (v: any): boolean => object(v) && (v.sections === undefined || Array.isArray(v.sections));
const is_set_mcp_permission_mode_override_answer = (v: any): boolean => object(v) && optionalText(v.warning);
const is_submit_feedback_answer = (v: any): boolean =>
  object(v) && optionalNullableText(v.feedback_id) && optionalText(v.unavailable_reason);
const is_set_cwd_answer = (v: any): boolean => object(v) && optionalText(v.status) && optionalText(v.directory);
const agent_assistant = kind('assistant', isSDKAssistantMessage);
const agent_user = kind('user', isSDKUserMessage);
const agent_user_replay = kind('user/replay', isSDKUserMessageReplay);
const agent_stream_event = kind('stream_event', isSDKPartialAssistantMessage);
const agent_result = kinds('result', {
  success: isSDKResultSuccess,
  error_during_execution: isSDKResultError,
  error_max_turns: isSDKResultError,
  error_max_budget_usd: isSDKResultError,
  error_max_structured_output_retries: isSDKResultError,
});
const agent_system = kinds('system', {
  init: isSDKSystemMessage,
  compact_boundary: isSDKCompactBoundaryMessage,
  status: isSDKStatusMessage,
  api_retry: isSDKAPIRetryMessage,
  control_request_progress: isSDKControlRequestProgressMessage,
  model_refusal_fallback: isSDKModelRefusalFallbackMessage,
  model_refusal_no_fallback: isSDKModelRefusalNoFallbackMessage,
  local_command_output: isSDKLocalCommandOutputMessage,
  hook_started: isSDKHookStartedMessage,
  hook_progress: isSDKHookProgressMessage,
  hook_response: isSDKHookResponseMessage,
  plugin_install: isSDKPluginInstallMessage,
  task_notification: isSDKTaskNotificationMessage,
  task_started: isSDKTaskStartedMessage,
  task_updated: isSDKTaskUpdatedMessage,
  task_progress: isSDKTaskProgressMessage,
  background_tasks_changed: isSDKBackgroundTasksChangedMessage,
  thinking_tokens: isSDKThinkingTokensMessage,
  session_state_changed: isSDKSessionStateChangedMessage,
  worker_shutting_down: isSDKWorkerShuttingDownMessage,
  commands_changed: isSDKCommandsChangedMessage,
  notification: isSDKNotificationMessage,
  files_persisted: isSDKFilesPersistedEvent,
  memory_recall: isSDKMemoryRecallMessage,
  elicitation_complete: isSDKElicitationCompleteMessage,
  permission_denied: isSDKPermissionDeniedMessage,
  mirror_error: isSDKMirrorErrorMessage,
  informational: isSDKInformationalMessage,
  session_writes_lost: isSDKSessionWritesLostMessage,
  model_fallback: isSDKModelFallbackMessage,
  session_title_changed: isSDKSessionTitleChangedMessage,
  ui_invalidate: isSDKUiInvalidateMessage,
});
const agent_tool_progress = kind('tool_progress', isSDKToolProgressMessage);
const agent_auth_status = kind('auth_status', isSDKAuthStatusMessage);
const agent_tool_use_summary = kind('tool_use_summary', isSDKToolUseSummaryMessage);
const agent_rate_limit_event = kind('rate_limit_event', isSDKRateLimitEvent);
const agent_prompt_suggestion = kind('prompt_suggestion', isSDKPromptSuggestionMessage);
const agent_conversation_reset = kind('conversation_reset', isSDKConversationResetMessage);
const agent_active_goal = kind('active_goal', isSDKActiveGoalMessage);
const agent_keep_alive = kind('keep_alive', isSDKKeepAliveMessage);
const agent_command_lifecycle = kind('command_lifecycle', isSDKCommandLifecycleMessage);
const agent_transcript_mirror = kind('transcript_mirror', isSDKTranscriptMirrorMessage);
const agent_control_response = kind('control_response', isSDKControlResponse);
const agent_control_cancel_request = kind('control_cancel_request', isSDKControlCancelRequest);
const agent_control_request = requests('control_request', {
  can_use_tool: isSDKControlPermissionRequest,
  hook_callback: isSDKHookCallbackRequest,
  mcp_message: isSDKControlMcpMessageRequest,
  elicitation: isSDKControlElicitationRequest,
  request_user_dialog: isSDKControlRequestUserDialogRequest,
  oauth_token_refresh: is_agent_control_request_oauth_token_refresh,
  host_auth_token_refresh: is_agent_control_request_host_auth_token_refresh,
  remote_control_work_secret: is_agent_control_request_remote_control_work_secret,
});

/** Finds the name and the check of a message from an agent. Returns `null` if a required subtype is missing. */
export function kindFromAgent(type: string, v: any): Kind | null | undefined {
  switch (type) {
    case 'assistant':
      return agent_assistant;
    case 'user':
      return v.isReplay === undefined || v.isReplay === false ? agent_user : agent_user_replay;
    case 'stream_event':
      return agent_stream_event;
    case 'result':
      return subtypeOf(agent_result, v);
    case 'system':
      return subtypeOf(agent_system, v);
    case 'tool_progress':
      return agent_tool_progress;
    case 'auth_status':
      return agent_auth_status;
    case 'tool_use_summary':
      return agent_tool_use_summary;
    case 'rate_limit_event':
      return agent_rate_limit_event;
    case 'prompt_suggestion':
      return agent_prompt_suggestion;
    case 'conversation_reset':
      return agent_conversation_reset;
    case 'active_goal':
      return agent_active_goal;
    case 'keep_alive':
      return agent_keep_alive;
    case 'command_lifecycle':
      return agent_command_lifecycle;
    case 'transcript_mirror':
      return agent_transcript_mirror;
    case 'control_response':
      return agent_control_response;
    case 'control_cancel_request':
      return agent_control_cancel_request;
    case 'control_request':
      return agent_control_request.get(v.request?.subtype);
    default:
      return undefined;
  }
}

const host_user = kind('user', isSDKUserMessage);
const host_control_response = kind('control_response', isSDKControlResponse);
const host_control_cancel_request = kind('control_cancel_request', isSDKControlCancelRequest);
const host_keep_alive = kind('keep_alive', isSDKKeepAliveMessage);
const host_update_environment_variables = kind('update_environment_variables', isSDKUpdateEnvironmentVariablesMessage);
const host_queued_notification = kind('queued_notification', isSDKQueuedNotificationMessage);
const host_control_request = requests('control_request', {
  initialize: isSDKControlInitializeRequest,
  interrupt: isSDKControlInterruptRequest,
  rename_session: isSDKControlRenameSessionRequest,
  set_color: isSDKControlSetColorRequest,
  cancel_async_message: isSDKControlCancelAsyncMessageRequest,
  set_has_subscribers: isSDKControlSetHasSubscribersRequest,
  get_session_cost: isSDKControlGetSessionCostRequest,
  get_binary_version: isSDKControlGetBinaryVersionRequest,
  set_model: isSDKControlSetModelRequest,
  set_max_thinking_tokens: isSDKControlSetMaxThinkingTokensRequest,
  list_models: isSDKControlListModelsRequest,
  set_permission_mode: isSDKControlSetPermissionModeRequest,
  list_permission_rules: isSDKControlListPermissionRulesRequest,
  get_hooks_listing: isSDKControlGetHooksListingRequest,
  mcp_message: isSDKControlMcpMessageRequest,
  mcp_status: isSDKControlMcpStatusRequest,
  mcp_call: isSDKControlMcpCallRequest,
  mcp_set_servers: isSDKControlMcpSetServersRequest,
  mcp_reconnect: isSDKControlMcpReconnectRequest,
  mcp_toggle: isSDKControlMcpToggleRequest,
  mcp_read_resource: isSDKControlMcpReadResourceRequest,
  file_suggestions: isSDKControlFileSuggestionsRequest,
  read_file: isSDKControlReadFileRequest,
  seed_read_state: isSDKControlSeedReadStateRequest,
  rewind_files: isSDKControlRewindFilesRequest,
  register_repo_root: isSDKControlRegisterRepoRootRequest,
  reload_plugins: isSDKControlReloadPluginsRequest,
  reload_skills: isSDKControlReloadSkillsRequest,
  reload_output_styles: isSDKControlReloadOutputStylesRequest,
  stop_task: isSDKControlStopTaskRequest,
  background_tasks: isSDKControlBackgroundTasksRequest,
  get_task_output: isSDKControlGetTaskOutputRequest,
  apply_flag_settings: isSDKControlApplyFlagSettingsRequest,
  get_settings: isSDKControlGetSettingsRequest,
  update_settings: isSDKControlUpdateSettingsRequest,
  get_context_usage: isSDKControlGetContextUsageRequest,
  get_usage: isSDKControlGetUsageRequest,
  channel_enable: is_host_control_request_channel_enable,
  claim_session: is_host_control_request_claim_session,
  claude_authenticate: is_host_control_request_claude_authenticate,
  claude_oauth_callback: is_host_control_request_claude_oauth_callback,
  claude_oauth_wait_for_completion: is_host_control_request_claude_oauth_wait_for_completion,
  end_session: is_host_control_request_end_session,
  export_conversation: is_host_control_request_export_conversation,
  generate_session_title: is_host_control_request_generate_session_title,
  get_chrome_browsers: is_host_control_request_get_chrome_browsers,
  get_chrome_dialog: is_host_control_request_get_chrome_dialog,
  get_memory_dialog: is_host_control_request_get_memory_dialog,
  get_plan: is_host_control_request_get_plan,
  get_sandbox_dialog: is_host_control_request_get_sandbox_dialog,
  get_skills_dialog: is_host_control_request_get_skills_dialog,
  get_status: is_host_control_request_get_status,
  mcp_authenticate: is_host_control_request_mcp_authenticate,
  mcp_clear_auth: is_host_control_request_mcp_clear_auth,
  mcp_oauth_callback_url: is_host_control_request_mcp_oauth_callback_url,
  message_rated: is_host_control_request_message_rated,
  remote_control: is_host_control_request_remote_control,
  rewind_conversation: is_host_control_request_rewind_conversation,
  select_chrome_browser: is_host_control_request_select_chrome_browser,
  set_chrome_browser_hints: is_host_control_request_set_chrome_browser_hints,
  set_cwd: is_host_control_request_set_cwd,
  set_mcp_permission_mode_override: is_host_control_request_set_mcp_permission_mode_override,
  set_prompt_suggestions_paused: is_host_control_request_set_prompt_suggestions_paused,
  side_question: is_host_control_request_side_question,
  submit_feedback: is_host_control_request_submit_feedback,
  submit_survey_feedback: is_host_control_request_submit_survey_feedback,
  ultrareview_launch: is_host_control_request_ultrareview_launch,
});

/** Finds the name and the check of a message from a host. Returns `null` if a required subtype is missing. */
export function kindFromHost(type: string, v: any): Kind | null | undefined {
  switch (type) {
    case 'user':
      return host_user;
    case 'control_response':
      return host_control_response;
    case 'control_cancel_request':
      return host_control_cancel_request;
    case 'keep_alive':
      return host_keep_alive;
    case 'update_environment_variables':
      return host_update_environment_variables;
    case 'queued_notification':
      return host_queued_notification;
    case 'control_request':
      return host_control_request.get(v.request?.subtype);
    default:
      return undefined;
  }
}

/** Returns the check of a success payload, by the subtype of its request. Returns `undefined` if any payload is valid. */
export function answerCheck(subtype: string): Check | undefined {
  switch (subtype) {
    case 'initialize':
      return isSDKControlInitializeResponse;
    case 'interrupt':
      return isSDKControlInterruptResponse;
    case 'rename_session':
      return is_rename_session_answer;
    case 'set_color':
      return is_set_color_answer;
    case 'cancel_async_message':
      return isSDKControlCancelAsyncMessageResponse;
    case 'set_has_subscribers':
      return is_set_has_subscribers_answer;
    case 'get_session_cost':
      return isSDKControlGetSessionCostResponse;
    case 'get_binary_version':
      return isSDKControlGetBinaryVersionResponse;
    case 'set_model':
      return isSDKControlSetModelResponse;
    case 'set_max_thinking_tokens':
      return is_set_max_thinking_tokens_answer;
    case 'list_models':
      return isSDKControlListModelsResponse;
    case 'can_use_tool':
      return isPermissionResult;
    case 'set_permission_mode':
      return isSDKControlSetPermissionModeResponse;
    case 'list_permission_rules':
      return isSDKControlListPermissionRulesResponse;
    case 'hook_callback':
      return isHookJSONOutput;
    case 'get_hooks_listing':
      return isSDKControlGetHooksListingResponse;
    case 'mcp_message':
      return isSDKControlMcpMessageResponse;
    case 'mcp_status':
      return isSDKControlMcpStatusResponse;
    case 'mcp_call':
      return isSDKControlMcpCallResponse;
    case 'mcp_set_servers':
      return isMcpSetServersResult;
    case 'mcp_reconnect':
      return is_mcp_reconnect_answer;
    case 'mcp_toggle':
      return is_mcp_toggle_answer;
    case 'mcp_read_resource':
      return isSDKControlMcpReadResourceResponse;
    case 'file_suggestions':
      return isSDKControlFileSuggestionsResponse;
    case 'read_file':
      return isSDKControlReadFileResponse;
    case 'seed_read_state':
      return is_seed_read_state_answer;
    case 'rewind_files':
      return isRewindFilesResult;
    case 'register_repo_root':
      return is_register_repo_root_answer;
    case 'reload_plugins':
      return isSDKControlReloadPluginsResponse;
    case 'reload_skills':
      return isSDKControlReloadSkillsResponse;
    case 'reload_output_styles':
      return isSDKControlReloadOutputStylesResponse;
    case 'stop_task':
      return is_stop_task_answer;
    case 'background_tasks':
      return isSDKControlBackgroundTasksResponse;
    case 'get_task_output':
      return isSDKControlGetTaskOutputResponse;
    case 'apply_flag_settings':
      return is_apply_flag_settings_answer;
    case 'get_settings':
      return isSDKControlGetSettingsResponse;
    case 'update_settings':
      return is_update_settings_answer;
    case 'get_context_usage':
      return isSDKControlGetContextUsageResponse;
    case 'get_usage':
      return isSDKControlGetUsageResponse;
    case 'elicitation':
      return isElicitationResult;
    case 'request_user_dialog':
      return isUserDialogResult;
    case 'export_conversation':
      return is_export_conversation_answer;
    case 'generate_session_title':
      return is_generate_session_title_answer;
    case 'get_memory_dialog':
      return is_get_memory_dialog_answer;
    case 'get_plan':
      return is_get_plan_answer;
    case 'get_skills_dialog':
      return is_get_skills_dialog_answer;
    case 'get_status':
      return is_get_status_answer;
    case 'set_mcp_permission_mode_override':
      return is_set_mcp_permission_mode_override_answer;
    case 'submit_feedback':
      return is_submit_feedback_answer;
    case 'set_cwd':
      return is_set_cwd_answer;
    default:
      return undefined;
  }
}
