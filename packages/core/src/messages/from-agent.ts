import { assistantMessage, type SDKAssistantMessage } from './assistant.ts';
import { authStatusMessage, type SDKAuthStatusMessage } from './auth-status.ts';
import { commandLifecycleMessage, type SDKCommandLifecycleMessage } from './command-lifecycle.ts';
import {
  controlCancelFrame,
  controlRequestFrame,
  controlResponseFrame,
  type SDKControlCancelRequest,
  type SDKControlRequest,
  type SDKControlResponse,
} from './control-frames.ts';
import {
  activeGoalMessage,
  conversationResetMessage,
  type SDKActiveGoalMessage,
  type SDKConversationResetMessage,
} from './conversation.ts';
import { keepAliveMessage, type SDKKeepAliveMessage } from './keep-alive.ts';
import { promptSuggestionMessage, type SDKPromptSuggestionMessage } from './prompt-suggestion.ts';
import { rateLimitEvent, type SDKRateLimitEvent } from './rate-limit.ts';
import { resultError, resultSuccess, type SDKResultError, type SDKResultSuccess } from './result.ts';
import type { LazySchema, SchemaOf } from './schema.ts';
import { partialAssistantMessage, type SDKPartialAssistantMessage } from './stream-event.ts';
import {
  controlRequestProgressMessage,
  elicitationCompleteMessage,
  type SDKControlRequestProgressMessage,
  type SDKElicitationCompleteMessage,
} from './system/control.ts';
import {
  filesPersistedEvent,
  memoryRecallMessage,
  type SDKFilesPersistedEvent,
  type SDKMemoryRecallMessage,
} from './system/files.ts';
import {
  hookProgressMessage,
  hookResponseMessage,
  hookStartedMessage,
  type SDKHookProgressMessage,
  type SDKHookResponseMessage,
  type SDKHookStartedMessage,
} from './system/hook-run.ts';
import { initMessage, type SDKSystemMessage } from './system/init.ts';
import {
  apiRetryMessage,
  modelFallbackMessage,
  modelRefusalFallbackMessage,
  modelRefusalNoFallbackMessage,
  type SDKAPIRetryMessage,
  type SDKModelFallbackMessage,
  type SDKModelRefusalFallbackMessage,
  type SDKModelRefusalNoFallbackMessage,
} from './system/model.ts';
import {
  informationalMessage,
  localCommandOutputMessage,
  notificationMessage,
  permissionDeniedMessage,
  type SDKInformationalMessage,
  type SDKLocalCommandOutputMessage,
  type SDKNotificationMessage,
  type SDKPermissionDeniedMessage,
} from './system/notice.ts';
import {
  mirrorErrorMessage,
  type SDKMirrorErrorMessage,
  type SDKSessionTitleChangedMessage,
  type SDKSessionWritesLostMessage,
  type SDKUiInvalidateMessage,
  type SDKWorkerShuttingDownMessage,
  sessionTitleChangedMessage,
  sessionWritesLostMessage,
  uiInvalidateMessage,
  workerShuttingDownMessage,
} from './system/session.ts';
import {
  commandsChangedMessage,
  pluginInstallMessage,
  type SDKCommandsChangedMessage,
  type SDKPluginInstallMessage,
} from './system/setup.ts';
import {
  compactBoundaryMessage,
  type SDKCompactBoundaryMessage,
  type SDKSessionStateChangedMessage,
  type SDKStatusMessage,
  type SDKThinkingTokensMessage,
  sessionStateChangedMessage,
  statusMessage,
  thinkingTokensMessage,
} from './system/status.ts';
import {
  backgroundTasksChangedMessage,
  type SDKBackgroundTasksChangedMessage,
  type SDKTaskNotificationMessage,
  type SDKTaskProgressMessage,
  type SDKTaskStartedMessage,
  type SDKTaskUpdatedMessage,
  taskNotificationMessage,
  taskProgressMessage,
  taskStartedMessage,
  taskUpdatedMessage,
} from './system/task.ts';
import {
  type SDKToolProgressMessage,
  type SDKToolUseSummaryMessage,
  toolProgressMessage,
  toolUseSummaryMessage,
} from './tool-activity.ts';
import { type SDKTranscriptMirrorMessage, transcriptMirrorMessage } from './transcript-mirror.ts';
import { type SDKUserMessage, type SDKUserMessageReplay, userMessage, userMessageReplay } from './user.ts';

/**
 * Every message of an agent, by `type` or `type/subtype`. The echo of a prompt has no subtype of its own; it is told by
 * `isReplay`.
 */
export interface MessagesFromAgent {
  assistant: SDKAssistantMessage;
  user: SDKUserMessage;
  'user/replay': SDKUserMessageReplay;
  stream_event: SDKPartialAssistantMessage;
  'result/success': SDKResultSuccess;
  'result/error_during_execution': SDKResultError;
  'result/error_max_turns': SDKResultError;
  'result/error_max_budget_usd': SDKResultError;
  'result/error_max_structured_output_retries': SDKResultError;
  'system/init': SDKSystemMessage;
  'system/compact_boundary': SDKCompactBoundaryMessage;
  'system/status': SDKStatusMessage;
  'system/api_retry': SDKAPIRetryMessage;
  'system/control_request_progress': SDKControlRequestProgressMessage;
  'system/model_refusal_fallback': SDKModelRefusalFallbackMessage;
  'system/model_refusal_no_fallback': SDKModelRefusalNoFallbackMessage;
  'system/local_command_output': SDKLocalCommandOutputMessage;
  'system/hook_started': SDKHookStartedMessage;
  'system/hook_progress': SDKHookProgressMessage;
  'system/hook_response': SDKHookResponseMessage;
  'system/plugin_install': SDKPluginInstallMessage;
  'system/task_notification': SDKTaskNotificationMessage;
  'system/task_started': SDKTaskStartedMessage;
  'system/task_updated': SDKTaskUpdatedMessage;
  'system/task_progress': SDKTaskProgressMessage;
  'system/background_tasks_changed': SDKBackgroundTasksChangedMessage;
  'system/thinking_tokens': SDKThinkingTokensMessage;
  'system/session_state_changed': SDKSessionStateChangedMessage;
  'system/worker_shutting_down': SDKWorkerShuttingDownMessage;
  'system/commands_changed': SDKCommandsChangedMessage;
  'system/notification': SDKNotificationMessage;
  'system/files_persisted': SDKFilesPersistedEvent;
  'system/memory_recall': SDKMemoryRecallMessage;
  'system/elicitation_complete': SDKElicitationCompleteMessage;
  'system/permission_denied': SDKPermissionDeniedMessage;
  'system/mirror_error': SDKMirrorErrorMessage;
  'system/informational': SDKInformationalMessage;
  'system/session_writes_lost': SDKSessionWritesLostMessage;
  'system/model_fallback': SDKModelFallbackMessage;
  'system/session_title_changed': SDKSessionTitleChangedMessage;
  'system/ui_invalidate': SDKUiInvalidateMessage;
  tool_progress: SDKToolProgressMessage;
  auth_status: SDKAuthStatusMessage;
  tool_use_summary: SDKToolUseSummaryMessage;
  rate_limit_event: SDKRateLimitEvent;
  prompt_suggestion: SDKPromptSuggestionMessage;
  conversation_reset: SDKConversationResetMessage;
  active_goal: SDKActiveGoalMessage;
  keep_alive: SDKKeepAliveMessage;
  command_lifecycle: SDKCommandLifecycleMessage;
  transcript_mirror: SDKTranscriptMirrorMessage;
  control_request: SDKControlRequest;
  control_response: SDKControlResponse;
  control_cancel_request: SDKControlCancelRequest;
}

/** The schema of each message of an agent. */
export const messagesFromAgent: {
  readonly [Name in keyof MessagesFromAgent]: LazySchema<SchemaOf<MessagesFromAgent[Name]>>;
} = {
  assistant: assistantMessage,
  user: userMessage,
  'user/replay': userMessageReplay,
  stream_event: partialAssistantMessage,
  'result/success': resultSuccess,
  'result/error_during_execution': resultError,
  'result/error_max_turns': resultError,
  'result/error_max_budget_usd': resultError,
  'result/error_max_structured_output_retries': resultError,
  'system/init': initMessage,
  'system/compact_boundary': compactBoundaryMessage,
  'system/status': statusMessage,
  'system/api_retry': apiRetryMessage,
  'system/control_request_progress': controlRequestProgressMessage,
  'system/model_refusal_fallback': modelRefusalFallbackMessage,
  'system/model_refusal_no_fallback': modelRefusalNoFallbackMessage,
  'system/local_command_output': localCommandOutputMessage,
  'system/hook_started': hookStartedMessage,
  'system/hook_progress': hookProgressMessage,
  'system/hook_response': hookResponseMessage,
  'system/plugin_install': pluginInstallMessage,
  'system/task_notification': taskNotificationMessage,
  'system/task_started': taskStartedMessage,
  'system/task_updated': taskUpdatedMessage,
  'system/task_progress': taskProgressMessage,
  'system/background_tasks_changed': backgroundTasksChangedMessage,
  'system/thinking_tokens': thinkingTokensMessage,
  'system/session_state_changed': sessionStateChangedMessage,
  'system/worker_shutting_down': workerShuttingDownMessage,
  'system/commands_changed': commandsChangedMessage,
  'system/notification': notificationMessage,
  'system/files_persisted': filesPersistedEvent,
  'system/memory_recall': memoryRecallMessage,
  'system/elicitation_complete': elicitationCompleteMessage,
  'system/permission_denied': permissionDeniedMessage,
  'system/mirror_error': mirrorErrorMessage,
  'system/informational': informationalMessage,
  'system/session_writes_lost': sessionWritesLostMessage,
  'system/model_fallback': modelFallbackMessage,
  'system/session_title_changed': sessionTitleChangedMessage,
  'system/ui_invalidate': uiInvalidateMessage,
  tool_progress: toolProgressMessage,
  auth_status: authStatusMessage,
  tool_use_summary: toolUseSummaryMessage,
  rate_limit_event: rateLimitEvent,
  prompt_suggestion: promptSuggestionMessage,
  conversation_reset: conversationResetMessage,
  active_goal: activeGoalMessage,
  keep_alive: keepAliveMessage,
  command_lifecycle: commandLifecycleMessage,
  transcript_mirror: transcriptMirrorMessage,
  control_request: controlRequestFrame,
  control_response: controlResponseFrame,
  control_cancel_request: controlCancelFrame,
};

/** A message of an agent, of one of the known kinds. */
export type MessageFromAgent = MessagesFromAgent[keyof MessagesFromAgent];

type Undeclared =
  | 'system/model_fallback'
  | 'system/session_title_changed'
  | 'system/ui_invalidate'
  | 'command_lifecycle'
  | 'transcript_mirror';

type NotForTheUser = `control_${string}` | 'keep_alive' | 'active_goal';

/** A message that the published SDK hands to its user. */
export type SDKMessage = MessagesFromAgent[Exclude<keyof MessagesFromAgent, Undeclared | NotForTheUser>];
