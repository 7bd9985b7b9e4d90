import { authStatusMessage, keepAliveMessage, transcriptMirrorMessage, updateEnvironmentVariablesMessage } from './agent-process.ts';
import { assistantMessage } from './assistant.ts';
import { controlCancelFrame, controlRequestFrame, controlRequestProgressMessage, controlResponseFrame } from './control-frames.ts';
import { elicitationCompleteMessage } from './elicitation.ts';
import { rateLimitEvent } from './rate-limit.ts';
import { resultError, resultSuccess } from './result.ts';
import { partialAssistantMessage } from './stream-event.ts';
import { hookProgressMessage, hookResponseMessage, hookStartedMessage } from './system/hook-run.ts';
import { commandsChangedMessage, initMessage, pluginInstallMessage } from './system/init.ts';
import { apiRetryMessage, modelFallbackMessage, modelRefusalFallbackMessage, modelRefusalNoFallbackMessage } from './system/model.ts';
import {
  filesPersistedEvent,
  informationalMessage,
  localCommandOutputMessage,
  memoryRecallMessage,
  notificationMessage,
  permissionDeniedMessage,
} from './system/notice.ts';
import {
  activeGoalMessage,
  compactBoundaryMessage,
  conversationResetMessage,
  mirrorErrorMessage,
  sessionStateChangedMessage,
  sessionTitleChangedMessage,
  sessionWritesLostMessage,
  statusMessage,
  thinkingTokensMessage,
  uiInvalidateMessage,
  workerShuttingDownMessage,
} from './system/session.ts';
import { backgroundTasksChangedMessage, taskNotificationMessage, taskProgressMessage, taskStartedMessage, taskUpdatedMessage } from './system/task.ts';
import { toolProgressMessage, toolUseSummaryMessage } from './tool-activity.ts';
import { commandLifecycleMessage, promptSuggestionMessage, queuedNotificationMessage, userMessage, userMessageReplay } from './user.ts';

/** Every message from an agent, by `type` or `type/subtype`. The echo of a prompt has no subtype, but its `isReplay` is `true`. */
export const messagesFromAgent = {
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

/** Every message from a host, by `type`. */
export const messagesFromHost = {
  user: userMessage,
  control_request: controlRequestFrame,
  control_response: controlResponseFrame,
  control_cancel_request: controlCancelFrame,
  keep_alive: keepAliveMessage,
  update_environment_variables: updateEnvironmentVariablesMessage,
  queued_notification: queuedNotificationMessage,
};
