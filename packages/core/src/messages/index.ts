export type { ApiMessage, StopReason } from './api-message.ts';
export type { ApiUsage, ApiUsageDelta, NonNullableUsage } from './api-usage.ts';
export type { SDKAssistantMessage, SDKAssistantMessageError } from './assistant.ts';
export type { SDKAuthStatusMessage } from './auth-status.ts';
export type { SDKCommandLifecycleMessage } from './command-lifecycle.ts';
export type {
  CompactionBlock,
  ContainerUploadBlock,
  ContentBlock,
  FallbackBlock,
  McpToolListingBlock,
} from './content-block.ts';
export type {
  ControlErrorResponse,
  ControlResponse,
  SDKControlCancelRequest,
  SDKControlRequest,
  SDKControlResponse,
} from './control-frames.ts';
export type { SDKControlGetUsageRequest, SDKControlGetUsageResponse } from './control/account-usage.ts';
export type { AccountInfo, AgentDefinition, AgentInfo, ModelInfo, SdkPluginConfig } from './control/capabilities.ts';
export type { SDKControlGetContextUsageRequest, SDKControlGetContextUsageResponse } from './control/context-usage.ts';
export type {
  ElicitationResult,
  SDKControlElicitationRequest,
  SDKControlRequestUserDialogRequest,
  UserDialogResult,
} from './control/dialogs.ts';
export type {
  RewindFilesResult,
  SDKControlFileSuggestionsRequest,
  SDKControlFileSuggestionsResponse,
  SDKControlReadFileRequest,
  SDKControlReadFileResponse,
  SDKControlRegisterRepoRootRequest,
  SDKControlRewindFilesRequest,
  SDKControlSeedReadStateRequest,
} from './control/files.ts';
export type {
  SDKControlGetHooksListingRequest,
  SDKControlGetHooksListingResponse,
  SDKHookCallbackRequest,
} from './control/hooks.ts';
export type {
  SDKControlInitializeRequest,
  SDKControlInitializeResponse,
  SDKHookCallbackMatcher,
} from './control/initialize.ts';
export type {
  McpSetServersResult,
  SDKControlMcpCallRequest,
  SDKControlMcpCallResponse,
  SDKControlMcpMessageRequest,
  SDKControlMcpMessageResponse,
  SDKControlMcpReadResourceRequest,
  SDKControlMcpReadResourceResponse,
  SDKControlMcpReconnectRequest,
  SDKControlMcpSetServersRequest,
  SDKControlMcpStatusRequest,
  SDKControlMcpStatusResponse,
  SDKControlMcpToggleRequest,
} from './control/mcp.ts';
export type {
  SDKControlListModelsRequest,
  SDKControlListModelsResponse,
  SDKControlSetMaxThinkingTokensRequest,
  SDKControlSetModelRequest,
  SDKControlSetModelResponse,
} from './control/models.ts';
export type {
  SDKControlListPermissionRulesRequest,
  SDKControlListPermissionRulesResponse,
  SDKControlPermissionRequest,
  SDKControlPermissionRulesState,
  SDKControlSetPermissionModeRequest,
  SDKControlSetPermissionModeResponse,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
} from './control/permissions.ts';
export type {
  SDKControlReloadOutputStylesRequest,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsRequest,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsRequest,
  SDKControlReloadSkillsResponse,
} from './control/plugins.ts';
export {
  controlRequests,
  type ControlRequestSubtype,
  controlResponses,
  type RequestDirection,
  type SDKControlRequestInner,
} from './control/requests.ts';
export type {
  SDKControlCancelAsyncMessageRequest,
  SDKControlCancelAsyncMessageResponse,
  SDKControlGetBinaryVersionRequest,
  SDKControlGetBinaryVersionResponse,
  SDKControlGetSessionCostRequest,
  SDKControlGetSessionCostResponse,
  SDKControlInterruptRequest,
  SDKControlInterruptResponse,
  SDKControlRenameSessionRequest,
  SDKControlSetColorRequest,
  SDKControlSetHasSubscribersRequest,
} from './control/session.ts';
export type {
  SDKControlApplyFlagSettingsRequest,
  SDKControlGetSettingsRequest,
  SDKControlGetSettingsResponse,
  SDKControlUpdateSettingsRequest,
  SDKSettingsParseError,
} from './control/settings.ts';
export type {
  SDKControlBackgroundTasksRequest,
  SDKControlBackgroundTasksResponse,
  SDKControlGetTaskOutputRequest,
  SDKControlGetTaskOutputResponse,
  SDKControlStopTaskRequest,
} from './control/tasks.ts';
export type { SDKActiveGoalMessage, SDKConversationResetMessage } from './conversation.ts';
export type { Direction } from './direction.ts';
export {
  createDriftReport,
  type DriftReport,
  type DriftReportOptions,
  type Finding,
  type FindingCode,
} from './drift-report.ts';
export type { SDKUpdateEnvironmentVariablesMessage } from './environment-variables.ts';
export type { FastModeDisabledReason, FastModeState } from './fast-mode.ts';
export { type MessageFromAgent, type MessagesFromAgent, messagesFromAgent, type SDKMessage } from './from-agent.ts';
export { type MessageFromHost, type MessagesFromHost, messagesFromHost } from './from-host.ts';
export { type BaseHookInput, HOOK_EVENTS, type HookEvent } from './hooks/base.ts';
export type { HookInput, HookSpecificOutput } from './hooks/hook-events.ts';
export type { AsyncHookJSONOutput, HookJSONOutput, SyncHookJSONOutput } from './hooks/hook-output.ts';
export type {
  ElicitationHookInput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookInput,
  ElicitationResultHookSpecificOutput,
  MessageDisplayHookInput,
  MessageDisplayHookSpecificOutput,
  NotificationHookInput,
  NotificationHookSpecificOutput,
  UserPromptExpansionHookInput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookInput,
  UserPromptSubmitHookSpecificOutput,
} from './hooks/prompt-hooks.ts';
export type {
  ExitReason,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PostModelSwitchHookSpecificOutput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  PreModelSwitchHookSpecificOutput,
  SessionEndHookInput,
  SessionStartHookInput,
  SessionStartHookSpecificOutput,
  SetupHookInput,
  SetupHookSpecificOutput,
} from './hooks/session-hooks.ts';
export type {
  BackgroundTaskSummary,
  SessionCronSummary,
  StopFailureHookInput,
  StopHookInput,
  StopHookSpecificOutput,
  SubagentStartHookInput,
  SubagentStartHookSpecificOutput,
  SubagentStopHookInput,
  SubagentStopHookSpecificOutput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
} from './hooks/stop-hooks.ts';
export type {
  HookPermissionDecision,
  PermissionDeniedHookInput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookInput,
  PermissionRequestHookSpecificOutput,
  PostToolBatchHookInput,
  PostToolBatchHookSpecificOutput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseFailureHookSpecificOutput,
  PostToolUseHookInput,
  PostToolUseHookSpecificOutput,
  PreToolUseHookInput,
  PreToolUseHookSpecificOutput,
} from './hooks/tool-hooks.ts';
export type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  CwdChangedHookSpecificOutput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  FileChangedHookSpecificOutput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeCreateHookSpecificOutput,
  WorktreeRemoveHookInput,
} from './hooks/workspace-hooks.ts';
export {
  isAssistantMessage,
  isControlCancelRequest,
  isControlRequest,
  isControlResponse,
  isKeepAliveMessage,
  isPartialAssistantMessage,
  isRateLimitEvent,
  isResultError,
  isResultMessage,
  isResultSuccess,
  isSystemMessage,
  isToolProgressMessage,
  isUserMessage,
  isUserMessageReplay,
  type SystemMessage,
} from './is-message.ts';
export type { Issue } from './issues.ts';
export type { JSONRPCMessage } from './json-rpc.ts';
export type { SDKKeepAliveMessage } from './keep-alive.ts';
export type {
  AgentMcpServerSpec,
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpServerConfigForProcessTransport,
  McpServerStatus,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSSEServerConfig,
  McpStdioServerConfig,
} from './mcp-servers.ts';
export type { DocumentBlock, ImageBlock, SearchResultBlock } from './media-block.ts';
export type { MessageParam, PromptContent } from './message-param.ts';
export { type MessageValidator, messageValidator, type ValidatedMessage } from './message-validator.ts';
export type { ModelUsage } from './model-usage.ts';
export type { SDKMessageOrigin } from './origin.ts';
export {
  type MessageFrom,
  type ParsedMessage,
  parseMessage,
  type ParseMode,
  type ParseOptions,
  type UnknownMessage,
} from './parse-message.ts';
export type { PermissionMode } from './permission-mode.ts';
export type {
  McpServerProvenance,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from './permissions.ts';
export type { SDKPromptSuggestionMessage } from './prompt-suggestion.ts';
export type { SDKQueuedNotificationMessage } from './queued-notification.ts';
export type { SDKRateLimitEvent, SDKRateLimitInfo } from './rate-limit.ts';
export type { SDKContextUsage, SDKContextUsageCategory, SDKUsageReport } from './reports.ts';
export type {
  SDKDeferredToolUse,
  SDKPermissionDenial,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKStartupFailureReason,
  TerminalReason,
} from './result.ts';
export type { Infer, LazySchema, SchemaOf, Verdict } from './schema.ts';
export type { SlashCommand } from './slash-command.ts';
export type { SDKPartialAssistantMessage, StreamEvent, StreamEventDelta } from './stream-event.ts';
export type { SDKControlRequestProgressMessage, SDKElicitationCompleteMessage } from './system/control.ts';
export type { SDKFilesPersistedEvent, SDKMemoryRecallMessage } from './system/files.ts';
export type { SDKHookProgressMessage, SDKHookResponseMessage, SDKHookStartedMessage } from './system/hook-run.ts';
export type { ApiKeySource, SDKSystemMessage } from './system/init.ts';
export type {
  SDKAPIRetryMessage,
  SDKModelFallbackMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
} from './system/model.ts';
export type {
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
} from './system/notice.ts';
export type {
  SDKMirrorErrorMessage,
  SDKSessionTitleChangedMessage,
  SDKSessionWritesLostMessage,
  SDKUiInvalidateMessage,
  SDKWorkerShuttingDownMessage,
} from './system/session.ts';
export type { SDKCommandsChangedMessage, SDKPluginInstallMessage } from './system/setup.ts';
export type {
  SDKCompactBoundaryMessage,
  SDKSessionStateChangedMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKThinkingTokensMessage,
} from './system/status.ts';
export type {
  SDKBackgroundTasksChangedMessage,
  SDKMcpResourceLink,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
} from './system/task.ts';
export type { RedactedThinkingBlock, TextBlock, ThinkingBlock } from './text-block.ts';
export type { SDKToolProgressMessage, SDKToolUseSummaryMessage } from './tool-activity.ts';
export type {
  McpToolResultBlock,
  McpToolUseBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  BrowserStateBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolUseBlock,
} from './tool-block.ts';
export type { SDKTranscriptMirrorMessage, SessionStoreEntry } from './transcript-mirror.ts';
export type { SDKUserMessage, SDKUserMessageReplay, ToolResultMeta } from './user.ts';
export type { UUID } from './uuid.ts';
