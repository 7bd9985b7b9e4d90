// Written by scripts/message-types.mjs.
import { expectTypeOf } from 'vitest';
import type { controlRequests } from './control/requests.ts';
import type * as Inferred from './index.ts';
import type * as Declared from './message-types.ts';
import type { Infer } from './schema.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Pairs = {
  AccountInfo: [Declared.AccountInfo, Inferred.AccountInfo];
  AgentDefinition: [Declared.AgentDefinition, Inferred.AgentDefinition];
  AgentInfo: [Declared.AgentInfo, Inferred.AgentInfo];
  AgentMcpServerSpec: [Declared.AgentMcpServerSpec, Inferred.AgentMcpServerSpec];
  ApiKeySource: [Declared.ApiKeySource, Inferred.ApiKeySource];
  ApiMessage: [Declared.ApiMessage, Inferred.ApiMessage];
  ApiUsage: [Declared.ApiUsage, Inferred.ApiUsage];
  ApiUsageDelta: [Declared.ApiUsageDelta, Inferred.ApiUsageDelta];
  AsyncHookJSONOutput: [Declared.AsyncHookJSONOutput, Inferred.AsyncHookJSONOutput];
  BackgroundTaskSummary: [Declared.BackgroundTaskSummary, Inferred.BackgroundTaskSummary];
  BaseHookInput: [Declared.BaseHookInput, Inferred.BaseHookInput];
  BrowserStateBlock: [Declared.BrowserStateBlock, Inferred.BrowserStateBlock];
  CompactionBlock: [Declared.CompactionBlock, Inferred.CompactionBlock];
  ConfigChangeHookInput: [Declared.ConfigChangeHookInput, Inferred.ConfigChangeHookInput];
  ContainerUploadBlock: [Declared.ContainerUploadBlock, Inferred.ContainerUploadBlock];
  ContentBlock: [Declared.ContentBlock, Inferred.ContentBlock];
  ControlErrorResponse: [Declared.ControlErrorResponse, Inferred.ControlErrorResponse];
  ControlResponse: [Declared.ControlResponse, Inferred.ControlResponse];
  CwdChangedHookInput: [Declared.CwdChangedHookInput, Inferred.CwdChangedHookInput];
  CwdChangedHookSpecificOutput: [Declared.CwdChangedHookSpecificOutput, Inferred.CwdChangedHookSpecificOutput];
  DirectoryAddedHookInput: [Declared.DirectoryAddedHookInput, Inferred.DirectoryAddedHookInput];
  DocumentBlock: [Declared.DocumentBlock, Inferred.DocumentBlock];
  ElicitationHookInput: [Declared.ElicitationHookInput, Inferred.ElicitationHookInput];
  ElicitationHookSpecificOutput: [Declared.ElicitationHookSpecificOutput, Inferred.ElicitationHookSpecificOutput];
  ElicitationResult: [Declared.ElicitationResult, Inferred.ElicitationResult];
  ElicitationResultHookInput: [Declared.ElicitationResultHookInput, Inferred.ElicitationResultHookInput];
  ElicitationResultHookSpecificOutput: [
    Declared.ElicitationResultHookSpecificOutput,
    Inferred.ElicitationResultHookSpecificOutput,
  ];
  ExitReason: [Declared.ExitReason, Inferred.ExitReason];
  FallbackBlock: [Declared.FallbackBlock, Inferred.FallbackBlock];
  FastModeDisabledReason: [Declared.FastModeDisabledReason, Inferred.FastModeDisabledReason];
  FastModeState: [Declared.FastModeState, Inferred.FastModeState];
  FileChangedHookInput: [Declared.FileChangedHookInput, Inferred.FileChangedHookInput];
  FileChangedHookSpecificOutput: [Declared.FileChangedHookSpecificOutput, Inferred.FileChangedHookSpecificOutput];
  HookEvent: [Declared.HookEvent, Inferred.HookEvent];
  HookInput: [Declared.HookInput, Inferred.HookInput];
  HookJSONOutput: [Declared.HookJSONOutput, Inferred.HookJSONOutput];
  HookPermissionDecision: [Declared.HookPermissionDecision, Inferred.HookPermissionDecision];
  HookSpecificOutput: [Declared.HookSpecificOutput, Inferred.HookSpecificOutput];
  ImageBlock: [Declared.ImageBlock, Inferred.ImageBlock];
  InstructionsLoadedHookInput: [Declared.InstructionsLoadedHookInput, Inferred.InstructionsLoadedHookInput];
  JSONRPCMessage: [Declared.JSONRPCMessage, Inferred.JSONRPCMessage];
  McpClaudeAIProxyServerConfig: [Declared.McpClaudeAIProxyServerConfig, Inferred.McpClaudeAIProxyServerConfig];
  McpHttpServerConfig: [Declared.McpHttpServerConfig, Inferred.McpHttpServerConfig];
  McpSSEServerConfig: [Declared.McpSSEServerConfig, Inferred.McpSSEServerConfig];
  McpSdkServerConfig: [Declared.McpSdkServerConfig, Inferred.McpSdkServerConfig];
  McpServerConfigForProcessTransport: [
    Declared.McpServerConfigForProcessTransport,
    Inferred.McpServerConfigForProcessTransport,
  ];
  McpServerProvenance: [Declared.McpServerProvenance, Inferred.McpServerProvenance];
  McpServerStatus: [Declared.McpServerStatus, Inferred.McpServerStatus];
  McpServerStatusConfig: [Declared.McpServerStatusConfig, Inferred.McpServerStatusConfig];
  McpServerToolPolicy: [Declared.McpServerToolPolicy, Inferred.McpServerToolPolicy];
  McpSetServersResult: [Declared.McpSetServersResult, Inferred.McpSetServersResult];
  McpStdioServerConfig: [Declared.McpStdioServerConfig, Inferred.McpStdioServerConfig];
  McpToolListingBlock: [Declared.McpToolListingBlock, Inferred.McpToolListingBlock];
  McpToolResultBlock: [Declared.McpToolResultBlock, Inferred.McpToolResultBlock];
  McpToolUseBlock: [Declared.McpToolUseBlock, Inferred.McpToolUseBlock];
  MessageDisplayHookInput: [Declared.MessageDisplayHookInput, Inferred.MessageDisplayHookInput];
  MessageDisplayHookSpecificOutput: [
    Declared.MessageDisplayHookSpecificOutput,
    Inferred.MessageDisplayHookSpecificOutput,
  ];
  MessageParam: [Declared.MessageParam, Inferred.MessageParam];
  ModelInfo: [Declared.ModelInfo, Inferred.ModelInfo];
  ModelUsage: [Declared.ModelUsage, Inferred.ModelUsage];
  NonNullableUsage: [Declared.NonNullableUsage, Inferred.NonNullableUsage];
  NotificationHookInput: [Declared.NotificationHookInput, Inferred.NotificationHookInput];
  NotificationHookSpecificOutput: [Declared.NotificationHookSpecificOutput, Inferred.NotificationHookSpecificOutput];
  PermissionBehavior: [Declared.PermissionBehavior, Inferred.PermissionBehavior];
  PermissionDecisionClassification: [
    Declared.PermissionDecisionClassification,
    Inferred.PermissionDecisionClassification,
  ];
  PermissionDeniedHookInput: [Declared.PermissionDeniedHookInput, Inferred.PermissionDeniedHookInput];
  PermissionDeniedHookSpecificOutput: [
    Declared.PermissionDeniedHookSpecificOutput,
    Inferred.PermissionDeniedHookSpecificOutput,
  ];
  PermissionMode: [Declared.PermissionMode, Inferred.PermissionMode];
  PermissionRequestHookInput: [Declared.PermissionRequestHookInput, Inferred.PermissionRequestHookInput];
  PermissionRequestHookSpecificOutput: [
    Declared.PermissionRequestHookSpecificOutput,
    Inferred.PermissionRequestHookSpecificOutput,
  ];
  PermissionResult: [Declared.PermissionResult, Inferred.PermissionResult];
  PermissionRuleValue: [Declared.PermissionRuleValue, Inferred.PermissionRuleValue];
  PermissionUpdate: [Declared.PermissionUpdate, Inferred.PermissionUpdate];
  PermissionUpdateDestination: [Declared.PermissionUpdateDestination, Inferred.PermissionUpdateDestination];
  PostCompactHookInput: [Declared.PostCompactHookInput, Inferred.PostCompactHookInput];
  PostModelSwitchHookInput: [Declared.PostModelSwitchHookInput, Inferred.PostModelSwitchHookInput];
  PostModelSwitchHookSpecificOutput: [
    Declared.PostModelSwitchHookSpecificOutput,
    Inferred.PostModelSwitchHookSpecificOutput,
  ];
  PostToolBatchHookInput: [Declared.PostToolBatchHookInput, Inferred.PostToolBatchHookInput];
  PostToolBatchHookSpecificOutput: [Declared.PostToolBatchHookSpecificOutput, Inferred.PostToolBatchHookSpecificOutput];
  PostToolBatchToolCall: [Declared.PostToolBatchToolCall, Inferred.PostToolBatchToolCall];
  PostToolUseFailureHookInput: [Declared.PostToolUseFailureHookInput, Inferred.PostToolUseFailureHookInput];
  PostToolUseFailureHookSpecificOutput: [
    Declared.PostToolUseFailureHookSpecificOutput,
    Inferred.PostToolUseFailureHookSpecificOutput,
  ];
  PostToolUseHookInput: [Declared.PostToolUseHookInput, Inferred.PostToolUseHookInput];
  PostToolUseHookSpecificOutput: [Declared.PostToolUseHookSpecificOutput, Inferred.PostToolUseHookSpecificOutput];
  PreCompactHookInput: [Declared.PreCompactHookInput, Inferred.PreCompactHookInput];
  PreModelSwitchHookInput: [Declared.PreModelSwitchHookInput, Inferred.PreModelSwitchHookInput];
  PreModelSwitchHookSpecificOutput: [
    Declared.PreModelSwitchHookSpecificOutput,
    Inferred.PreModelSwitchHookSpecificOutput,
  ];
  PreToolUseHookInput: [Declared.PreToolUseHookInput, Inferred.PreToolUseHookInput];
  PreToolUseHookSpecificOutput: [Declared.PreToolUseHookSpecificOutput, Inferred.PreToolUseHookSpecificOutput];
  PromptContent: [Declared.PromptContent, Inferred.PromptContent];
  RedactedThinkingBlock: [Declared.RedactedThinkingBlock, Inferred.RedactedThinkingBlock];
  RewindFilesResult: [Declared.RewindFilesResult, Inferred.RewindFilesResult];
  SDKAPIRetryMessage: [Declared.SDKAPIRetryMessage, Inferred.SDKAPIRetryMessage];
  SDKActiveGoalMessage: [Declared.SDKActiveGoalMessage, Inferred.SDKActiveGoalMessage];
  SDKAssistantMessage: [Declared.SDKAssistantMessage, Inferred.SDKAssistantMessage];
  SDKAssistantMessageError: [Declared.SDKAssistantMessageError, Inferred.SDKAssistantMessageError];
  SDKAuthStatusMessage: [Declared.SDKAuthStatusMessage, Inferred.SDKAuthStatusMessage];
  SDKBackgroundTasksChangedMessage: [
    Declared.SDKBackgroundTasksChangedMessage,
    Inferred.SDKBackgroundTasksChangedMessage,
  ];
  SDKCommandLifecycleMessage: [Declared.SDKCommandLifecycleMessage, Inferred.SDKCommandLifecycleMessage];
  SDKCommandsChangedMessage: [Declared.SDKCommandsChangedMessage, Inferred.SDKCommandsChangedMessage];
  SDKCompactBoundaryMessage: [Declared.SDKCompactBoundaryMessage, Inferred.SDKCompactBoundaryMessage];
  SDKContextUsage: [Declared.SDKContextUsage, Inferred.SDKContextUsage];
  SDKContextUsageCategory: [Declared.SDKContextUsageCategory, Inferred.SDKContextUsageCategory];
  SDKControlApplyFlagSettingsRequest: [
    Declared.SDKControlApplyFlagSettingsRequest,
    Inferred.SDKControlApplyFlagSettingsRequest,
  ];
  SDKControlBackgroundTasksRequest: [
    Declared.SDKControlBackgroundTasksRequest,
    Inferred.SDKControlBackgroundTasksRequest,
  ];
  SDKControlBackgroundTasksResponse: [
    Declared.SDKControlBackgroundTasksResponse,
    Inferred.SDKControlBackgroundTasksResponse,
  ];
  SDKControlCancelAsyncMessageRequest: [
    Declared.SDKControlCancelAsyncMessageRequest,
    Inferred.SDKControlCancelAsyncMessageRequest,
  ];
  SDKControlCancelAsyncMessageResponse: [
    Declared.SDKControlCancelAsyncMessageResponse,
    Inferred.SDKControlCancelAsyncMessageResponse,
  ];
  SDKControlCancelRequest: [Declared.SDKControlCancelRequest, Inferred.SDKControlCancelRequest];
  SDKControlElicitationRequest: [Declared.SDKControlElicitationRequest, Inferred.SDKControlElicitationRequest];
  SDKControlFileSuggestionsRequest: [
    Declared.SDKControlFileSuggestionsRequest,
    Inferred.SDKControlFileSuggestionsRequest,
  ];
  SDKControlFileSuggestionsResponse: [
    Declared.SDKControlFileSuggestionsResponse,
    Inferred.SDKControlFileSuggestionsResponse,
  ];
  SDKControlGetBinaryVersionRequest: [
    Declared.SDKControlGetBinaryVersionRequest,
    Inferred.SDKControlGetBinaryVersionRequest,
  ];
  SDKControlGetBinaryVersionResponse: [
    Declared.SDKControlGetBinaryVersionResponse,
    Inferred.SDKControlGetBinaryVersionResponse,
  ];
  SDKControlGetContextUsageRequest: [
    Declared.SDKControlGetContextUsageRequest,
    Inferred.SDKControlGetContextUsageRequest,
  ];
  SDKControlGetContextUsageResponse: [
    Declared.SDKControlGetContextUsageResponse,
    Inferred.SDKControlGetContextUsageResponse,
  ];
  SDKControlGetHooksListingRequest: [
    Declared.SDKControlGetHooksListingRequest,
    Inferred.SDKControlGetHooksListingRequest,
  ];
  SDKControlGetHooksListingResponse: [
    Declared.SDKControlGetHooksListingResponse,
    Inferred.SDKControlGetHooksListingResponse,
  ];
  SDKControlGetSessionCostRequest: [Declared.SDKControlGetSessionCostRequest, Inferred.SDKControlGetSessionCostRequest];
  SDKControlGetSessionCostResponse: [
    Declared.SDKControlGetSessionCostResponse,
    Inferred.SDKControlGetSessionCostResponse,
  ];
  SDKControlGetSettingsRequest: [Declared.SDKControlGetSettingsRequest, Inferred.SDKControlGetSettingsRequest];
  SDKControlGetSettingsResponse: [Declared.SDKControlGetSettingsResponse, Inferred.SDKControlGetSettingsResponse];
  SDKControlGetTaskOutputRequest: [Declared.SDKControlGetTaskOutputRequest, Inferred.SDKControlGetTaskOutputRequest];
  SDKControlGetTaskOutputResponse: [Declared.SDKControlGetTaskOutputResponse, Inferred.SDKControlGetTaskOutputResponse];
  SDKControlGetUsageRequest: [Declared.SDKControlGetUsageRequest, Inferred.SDKControlGetUsageRequest];
  SDKControlGetUsageResponse: [Declared.SDKControlGetUsageResponse, Inferred.SDKControlGetUsageResponse];
  SDKControlInitializeRequest: [Declared.SDKControlInitializeRequest, Inferred.SDKControlInitializeRequest];
  SDKControlInitializeResponse: [Declared.SDKControlInitializeResponse, Inferred.SDKControlInitializeResponse];
  SDKControlInterruptRequest: [Declared.SDKControlInterruptRequest, Inferred.SDKControlInterruptRequest];
  SDKControlInterruptResponse: [Declared.SDKControlInterruptResponse, Inferred.SDKControlInterruptResponse];
  SDKControlListModelsRequest: [Declared.SDKControlListModelsRequest, Inferred.SDKControlListModelsRequest];
  SDKControlListModelsResponse: [Declared.SDKControlListModelsResponse, Inferred.SDKControlListModelsResponse];
  SDKControlListPermissionRulesRequest: [
    Declared.SDKControlListPermissionRulesRequest,
    Inferred.SDKControlListPermissionRulesRequest,
  ];
  SDKControlListPermissionRulesResponse: [
    Declared.SDKControlListPermissionRulesResponse,
    Inferred.SDKControlListPermissionRulesResponse,
  ];
  SDKControlMcpCallRequest: [Declared.SDKControlMcpCallRequest, Inferred.SDKControlMcpCallRequest];
  SDKControlMcpCallResponse: [Declared.SDKControlMcpCallResponse, Inferred.SDKControlMcpCallResponse];
  SDKControlMcpMessageRequest: [Declared.SDKControlMcpMessageRequest, Inferred.SDKControlMcpMessageRequest];
  SDKControlMcpMessageResponse: [Declared.SDKControlMcpMessageResponse, Inferred.SDKControlMcpMessageResponse];
  SDKControlMcpReadResourceRequest: [
    Declared.SDKControlMcpReadResourceRequest,
    Inferred.SDKControlMcpReadResourceRequest,
  ];
  SDKControlMcpReadResourceResponse: [
    Declared.SDKControlMcpReadResourceResponse,
    Inferred.SDKControlMcpReadResourceResponse,
  ];
  SDKControlMcpReconnectRequest: [Declared.SDKControlMcpReconnectRequest, Inferred.SDKControlMcpReconnectRequest];
  SDKControlMcpSetServersRequest: [Declared.SDKControlMcpSetServersRequest, Inferred.SDKControlMcpSetServersRequest];
  SDKControlMcpStatusRequest: [Declared.SDKControlMcpStatusRequest, Inferred.SDKControlMcpStatusRequest];
  SDKControlMcpStatusResponse: [Declared.SDKControlMcpStatusResponse, Inferred.SDKControlMcpStatusResponse];
  SDKControlMcpToggleRequest: [Declared.SDKControlMcpToggleRequest, Inferred.SDKControlMcpToggleRequest];
  SDKControlPermissionRequest: [Declared.SDKControlPermissionRequest, Inferred.SDKControlPermissionRequest];
  SDKControlPermissionRulesState: [Declared.SDKControlPermissionRulesState, Inferred.SDKControlPermissionRulesState];
  SDKControlReadFileRequest: [Declared.SDKControlReadFileRequest, Inferred.SDKControlReadFileRequest];
  SDKControlReadFileResponse: [Declared.SDKControlReadFileResponse, Inferred.SDKControlReadFileResponse];
  SDKControlRegisterRepoRootRequest: [
    Declared.SDKControlRegisterRepoRootRequest,
    Inferred.SDKControlRegisterRepoRootRequest,
  ];
  SDKControlReloadOutputStylesRequest: [
    Declared.SDKControlReloadOutputStylesRequest,
    Inferred.SDKControlReloadOutputStylesRequest,
  ];
  SDKControlReloadOutputStylesResponse: [
    Declared.SDKControlReloadOutputStylesResponse,
    Inferred.SDKControlReloadOutputStylesResponse,
  ];
  SDKControlReloadPluginsRequest: [Declared.SDKControlReloadPluginsRequest, Inferred.SDKControlReloadPluginsRequest];
  SDKControlReloadPluginsResponse: [Declared.SDKControlReloadPluginsResponse, Inferred.SDKControlReloadPluginsResponse];
  SDKControlReloadSkillsRequest: [Declared.SDKControlReloadSkillsRequest, Inferred.SDKControlReloadSkillsRequest];
  SDKControlReloadSkillsResponse: [Declared.SDKControlReloadSkillsResponse, Inferred.SDKControlReloadSkillsResponse];
  SDKControlRenameSessionRequest: [Declared.SDKControlRenameSessionRequest, Inferred.SDKControlRenameSessionRequest];
  SDKControlRequest: [Declared.SDKControlRequest, Inferred.SDKControlRequest];
  SDKControlRequestProgressMessage: [
    Declared.SDKControlRequestProgressMessage,
    Inferred.SDKControlRequestProgressMessage,
  ];
  SDKControlRequestUserDialogRequest: [
    Declared.SDKControlRequestUserDialogRequest,
    Inferred.SDKControlRequestUserDialogRequest,
  ];
  SDKControlResponse: [Declared.SDKControlResponse, Inferred.SDKControlResponse];
  SDKControlRewindFilesRequest: [Declared.SDKControlRewindFilesRequest, Inferred.SDKControlRewindFilesRequest];
  SDKControlSeedReadStateRequest: [Declared.SDKControlSeedReadStateRequest, Inferred.SDKControlSeedReadStateRequest];
  SDKControlSetColorRequest: [Declared.SDKControlSetColorRequest, Inferred.SDKControlSetColorRequest];
  SDKControlSetHasSubscribersRequest: [
    Declared.SDKControlSetHasSubscribersRequest,
    Inferred.SDKControlSetHasSubscribersRequest,
  ];
  SDKControlSetMaxThinkingTokensRequest: [
    Declared.SDKControlSetMaxThinkingTokensRequest,
    Inferred.SDKControlSetMaxThinkingTokensRequest,
  ];
  SDKControlSetModelRequest: [Declared.SDKControlSetModelRequest, Inferred.SDKControlSetModelRequest];
  SDKControlSetModelResponse: [Declared.SDKControlSetModelResponse, Inferred.SDKControlSetModelResponse];
  SDKControlSetPermissionModeRequest: [
    Declared.SDKControlSetPermissionModeRequest,
    Inferred.SDKControlSetPermissionModeRequest,
  ];
  SDKControlSetPermissionModeResponse: [
    Declared.SDKControlSetPermissionModeResponse,
    Inferred.SDKControlSetPermissionModeResponse,
  ];
  SDKControlStopTaskRequest: [Declared.SDKControlStopTaskRequest, Inferred.SDKControlStopTaskRequest];
  SDKControlUpdateSettingsRequest: [Declared.SDKControlUpdateSettingsRequest, Inferred.SDKControlUpdateSettingsRequest];
  SDKConversationResetMessage: [Declared.SDKConversationResetMessage, Inferred.SDKConversationResetMessage];
  SDKDeferredToolUse: [Declared.SDKDeferredToolUse, Inferred.SDKDeferredToolUse];
  SDKElicitationCompleteMessage: [Declared.SDKElicitationCompleteMessage, Inferred.SDKElicitationCompleteMessage];
  SDKFilesPersistedEvent: [Declared.SDKFilesPersistedEvent, Inferred.SDKFilesPersistedEvent];
  SDKHookCallbackMatcher: [Declared.SDKHookCallbackMatcher, Inferred.SDKHookCallbackMatcher];
  SDKHookCallbackRequest: [Declared.SDKHookCallbackRequest, Inferred.SDKHookCallbackRequest];
  SDKHookProgressMessage: [Declared.SDKHookProgressMessage, Inferred.SDKHookProgressMessage];
  SDKHookResponseMessage: [Declared.SDKHookResponseMessage, Inferred.SDKHookResponseMessage];
  SDKHookStartedMessage: [Declared.SDKHookStartedMessage, Inferred.SDKHookStartedMessage];
  SDKInformationalMessage: [Declared.SDKInformationalMessage, Inferred.SDKInformationalMessage];
  SDKKeepAliveMessage: [Declared.SDKKeepAliveMessage, Inferred.SDKKeepAliveMessage];
  SDKLocalCommandOutputMessage: [Declared.SDKLocalCommandOutputMessage, Inferred.SDKLocalCommandOutputMessage];
  SDKMcpResourceLink: [Declared.SDKMcpResourceLink, Inferred.SDKMcpResourceLink];
  SDKMemoryRecallMessage: [Declared.SDKMemoryRecallMessage, Inferred.SDKMemoryRecallMessage];
  SDKMessageOrigin: [Declared.SDKMessageOrigin, Inferred.SDKMessageOrigin];
  SDKMirrorErrorMessage: [Declared.SDKMirrorErrorMessage, Inferred.SDKMirrorErrorMessage];
  SDKModelFallbackMessage: [Declared.SDKModelFallbackMessage, Inferred.SDKModelFallbackMessage];
  SDKModelRefusalFallbackMessage: [Declared.SDKModelRefusalFallbackMessage, Inferred.SDKModelRefusalFallbackMessage];
  SDKModelRefusalNoFallbackMessage: [
    Declared.SDKModelRefusalNoFallbackMessage,
    Inferred.SDKModelRefusalNoFallbackMessage,
  ];
  SDKNotificationMessage: [Declared.SDKNotificationMessage, Inferred.SDKNotificationMessage];
  SDKPartialAssistantMessage: [Declared.SDKPartialAssistantMessage, Inferred.SDKPartialAssistantMessage];
  SDKPermissionDenial: [Declared.SDKPermissionDenial, Inferred.SDKPermissionDenial];
  SDKPermissionDeniedMessage: [Declared.SDKPermissionDeniedMessage, Inferred.SDKPermissionDeniedMessage];
  SDKPermissionRuleDescription: [Declared.SDKPermissionRuleDescription, Inferred.SDKPermissionRuleDescription];
  SDKPermissionRuleEntry: [Declared.SDKPermissionRuleEntry, Inferred.SDKPermissionRuleEntry];
  SDKPermissionWorkspaceDirectory: [Declared.SDKPermissionWorkspaceDirectory, Inferred.SDKPermissionWorkspaceDirectory];
  SDKPluginInstallMessage: [Declared.SDKPluginInstallMessage, Inferred.SDKPluginInstallMessage];
  SDKPromptSuggestionMessage: [Declared.SDKPromptSuggestionMessage, Inferred.SDKPromptSuggestionMessage];
  SDKQueuedNotificationMessage: [Declared.SDKQueuedNotificationMessage, Inferred.SDKQueuedNotificationMessage];
  SDKRateLimitEvent: [Declared.SDKRateLimitEvent, Inferred.SDKRateLimitEvent];
  SDKRateLimitInfo: [Declared.SDKRateLimitInfo, Inferred.SDKRateLimitInfo];
  SDKResultError: [Declared.SDKResultError, Inferred.SDKResultError];
  SDKResultSuccess: [Declared.SDKResultSuccess, Inferred.SDKResultSuccess];
  SDKSessionStateChangedMessage: [Declared.SDKSessionStateChangedMessage, Inferred.SDKSessionStateChangedMessage];
  SDKSessionTitleChangedMessage: [Declared.SDKSessionTitleChangedMessage, Inferred.SDKSessionTitleChangedMessage];
  SDKSessionWritesLostMessage: [Declared.SDKSessionWritesLostMessage, Inferred.SDKSessionWritesLostMessage];
  SDKSettingsParseError: [Declared.SDKSettingsParseError, Inferred.SDKSettingsParseError];
  SDKStartupFailureReason: [Declared.SDKStartupFailureReason, Inferred.SDKStartupFailureReason];
  SDKStatus: [Declared.SDKStatus, Inferred.SDKStatus];
  SDKStatusMessage: [Declared.SDKStatusMessage, Inferred.SDKStatusMessage];
  SDKSystemMessage: [Declared.SDKSystemMessage, Inferred.SDKSystemMessage];
  SDKTaskNotificationMessage: [Declared.SDKTaskNotificationMessage, Inferred.SDKTaskNotificationMessage];
  SDKTaskProgressMessage: [Declared.SDKTaskProgressMessage, Inferred.SDKTaskProgressMessage];
  SDKTaskStartedMessage: [Declared.SDKTaskStartedMessage, Inferred.SDKTaskStartedMessage];
  SDKTaskUpdatedMessage: [Declared.SDKTaskUpdatedMessage, Inferred.SDKTaskUpdatedMessage];
  SDKThinkingTokensMessage: [Declared.SDKThinkingTokensMessage, Inferred.SDKThinkingTokensMessage];
  SDKToolProgressMessage: [Declared.SDKToolProgressMessage, Inferred.SDKToolProgressMessage];
  SDKToolUseSummaryMessage: [Declared.SDKToolUseSummaryMessage, Inferred.SDKToolUseSummaryMessage];
  SDKTranscriptMirrorMessage: [Declared.SDKTranscriptMirrorMessage, Inferred.SDKTranscriptMirrorMessage];
  SDKUiInvalidateMessage: [Declared.SDKUiInvalidateMessage, Inferred.SDKUiInvalidateMessage];
  SDKUpdateEnvironmentVariablesMessage: [
    Declared.SDKUpdateEnvironmentVariablesMessage,
    Inferred.SDKUpdateEnvironmentVariablesMessage,
  ];
  SDKUsageReport: [Declared.SDKUsageReport, Inferred.SDKUsageReport];
  SDKUserMessage: [Declared.SDKUserMessage, Inferred.SDKUserMessage];
  SDKUserMessageReplay: [Declared.SDKUserMessageReplay, Inferred.SDKUserMessageReplay];
  SDKWorkerShuttingDownMessage: [Declared.SDKWorkerShuttingDownMessage, Inferred.SDKWorkerShuttingDownMessage];
  SdkPluginConfig: [Declared.SdkPluginConfig, Inferred.SdkPluginConfig];
  SearchResultBlock: [Declared.SearchResultBlock, Inferred.SearchResultBlock];
  ServerToolResultBlock: [Declared.ServerToolResultBlock, Inferred.ServerToolResultBlock];
  ServerToolUseBlock: [Declared.ServerToolUseBlock, Inferred.ServerToolUseBlock];
  SessionCronSummary: [Declared.SessionCronSummary, Inferred.SessionCronSummary];
  SessionEndHookInput: [Declared.SessionEndHookInput, Inferred.SessionEndHookInput];
  SessionStartHookInput: [Declared.SessionStartHookInput, Inferred.SessionStartHookInput];
  SessionStartHookSpecificOutput: [Declared.SessionStartHookSpecificOutput, Inferred.SessionStartHookSpecificOutput];
  SessionStoreEntry: [Declared.SessionStoreEntry, Inferred.SessionStoreEntry];
  SetupHookInput: [Declared.SetupHookInput, Inferred.SetupHookInput];
  SetupHookSpecificOutput: [Declared.SetupHookSpecificOutput, Inferred.SetupHookSpecificOutput];
  SlashCommand: [Declared.SlashCommand, Inferred.SlashCommand];
  StopFailureHookInput: [Declared.StopFailureHookInput, Inferred.StopFailureHookInput];
  StopHookInput: [Declared.StopHookInput, Inferred.StopHookInput];
  StopHookSpecificOutput: [Declared.StopHookSpecificOutput, Inferred.StopHookSpecificOutput];
  StopReason: [Declared.StopReason, Inferred.StopReason];
  StreamEvent: [Declared.StreamEvent, Inferred.StreamEvent];
  StreamEventDelta: [Declared.StreamEventDelta, Inferred.StreamEventDelta];
  SubagentStartHookInput: [Declared.SubagentStartHookInput, Inferred.SubagentStartHookInput];
  SubagentStartHookSpecificOutput: [Declared.SubagentStartHookSpecificOutput, Inferred.SubagentStartHookSpecificOutput];
  SubagentStopHookInput: [Declared.SubagentStopHookInput, Inferred.SubagentStopHookInput];
  SubagentStopHookSpecificOutput: [Declared.SubagentStopHookSpecificOutput, Inferred.SubagentStopHookSpecificOutput];
  SyncHookJSONOutput: [Declared.SyncHookJSONOutput, Inferred.SyncHookJSONOutput];
  TaskCompletedHookInput: [Declared.TaskCompletedHookInput, Inferred.TaskCompletedHookInput];
  TaskCreatedHookInput: [Declared.TaskCreatedHookInput, Inferred.TaskCreatedHookInput];
  TeammateIdleHookInput: [Declared.TeammateIdleHookInput, Inferred.TeammateIdleHookInput];
  TerminalReason: [Declared.TerminalReason, Inferred.TerminalReason];
  TextBlock: [Declared.TextBlock, Inferred.TextBlock];
  ThinkingBlock: [Declared.ThinkingBlock, Inferred.ThinkingBlock];
  ToolReferenceBlock: [Declared.ToolReferenceBlock, Inferred.ToolReferenceBlock];
  ToolResultBlock: [Declared.ToolResultBlock, Inferred.ToolResultBlock];
  ToolResultMeta: [Declared.ToolResultMeta, Inferred.ToolResultMeta];
  ToolUseBlock: [Declared.ToolUseBlock, Inferred.ToolUseBlock];
  UserDialogResult: [Declared.UserDialogResult, Inferred.UserDialogResult];
  UserPromptExpansionHookInput: [Declared.UserPromptExpansionHookInput, Inferred.UserPromptExpansionHookInput];
  UserPromptExpansionHookSpecificOutput: [
    Declared.UserPromptExpansionHookSpecificOutput,
    Inferred.UserPromptExpansionHookSpecificOutput,
  ];
  UserPromptSubmitHookInput: [Declared.UserPromptSubmitHookInput, Inferred.UserPromptSubmitHookInput];
  UserPromptSubmitHookSpecificOutput: [
    Declared.UserPromptSubmitHookSpecificOutput,
    Inferred.UserPromptSubmitHookSpecificOutput,
  ];
  WorktreeCreateHookInput: [Declared.WorktreeCreateHookInput, Inferred.WorktreeCreateHookInput];
  WorktreeCreateHookSpecificOutput: [
    Declared.WorktreeCreateHookSpecificOutput,
    Inferred.WorktreeCreateHookSpecificOutput,
  ];
  WorktreeRemoveHookInput: [Declared.WorktreeRemoveHookInput, Inferred.WorktreeRemoveHookInput];
};

type Different = keyof { [Name in keyof Pairs as Same<Pairs[Name][0], Pairs[Name][1]> extends true ? never : Name]: 1 };

expectTypeOf<Different>().toEqualTypeOf<never>();

type Requests = { [S in keyof Declared.ControlRequests]: Infer<(typeof controlRequests)[S]['request']> };

expectTypeOf<Declared.ControlRequests>().toEqualTypeOf<Requests>();
expectTypeOf<keyof Declared.ControlAnswers>().toExtend<keyof typeof controlRequests>();
