/** The version of the published SDK that the schemas describe. */
export const version = '0.3.332';

/**
 * The first published version that knows a message or a member, where that is recorded. Versions of the SDK; the versions of the agent
 * end in the same number. Type name -> version, type name.member -> version.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const since = {
  'SDKAssistantMessage.aborted': '0.3.214',
  'SDKAssistantMessage.context_usage': '0.3.232',
  'SDKAssistantMessage.error': '0.1.47',
  'SDKAssistantMessage.request_id': '0.3.142',
  'SDKAssistantMessage.subagent_type': '0.3.142',
  'SDKAssistantMessage.task_description': '0.3.142',
  'SDKAssistantMessage.timestamp': '0.3.211',
  'SDKUserMessage.client_composed': '0.3.248',
  'SDKUserMessage.shouldQuery': '0.2.110',
  'SDKUserMessage.tool_result_meta': '0.3.216',
  'SDKUserMessageReplay.shouldQuery': '0.2.110',
  'SDKUserMessageReplay.client_composed': '0.3.248',
  'SDKUserMessageReplay.tool_result_meta': '0.3.216',
  'SDKResultSuccess.fast_mode_disabled_reason': '0.3.219',
  'SDKResultSuccess.origin': '0.2.126',
  'SDKResultSuccess.request_sent_wall_ms': '0.3.216',
  'SDKResultSuccess.stop_reason': '0.2.31',
  'SDKResultSuccess.terminal_reason': '0.2.91',
  'SDKResultSuccess.user_message_uuid': '0.3.216',
  'SDKSystemMessage.effort': '0.3.234',
  'SDKSystemMessage.skills': '0.1.25',
  'SDKSystemMessage.terminal_slash_commands': '0.3.229',
  SDKAPIRetryMessage: '0.2.77',
  SDKHookStartedMessage: '0.2.89',
  SDKHookProgressMessage: '0.2.89',
  SDKHookResponseMessage: '0.2.89',
  SDKTaskStartedMessage: '0.2.45',
  'SDKTaskStartedMessage.is_backgrounded': '0.3.238',
  'SDKTaskStartedMessage.spawn_depth': '0.3.238',
  SDKTaskProgressMessage: '0.2.51',
  'SDKTaskNotificationMessage.tool_use_id': '0.2.47',
  SDKBackgroundTasksChangedMessage: '0.3.203',
  SDKSessionStateChangedMessage: '0.2.83',
  SDKWorkerShuttingDownMessage: '0.3.178',
  SDKMemoryRecallMessage: '0.2.105',
  SDKElicitationCompleteMessage: '0.2.76',
  SDKPermissionDeniedMessage: '0.3.178',
  SDKModelFallbackMessage: '0.3.174',
  SDKCommandLifecycleMessage: '0.3.206',
  'SDKToolProgressMessage.subagent_retry': '0.3.214',
  'SDKToolProgressMessage.subagent_type': '0.3.214',
  'SDKRateLimitInfo.canUserPurchaseCredits': '0.3.181',
  'SDKRateLimitInfo.errorCode': '0.3.181',
  'SDKRateLimitInfo.hasChargeableSavedPaymentMethod': '0.3.181',
  SDKControlCancelAsyncMessageRequest: '0.2.76',
  'SDKControlInterruptResponse.still_queued': '0.3.205',
  DirectoryAddedHookInput: '0.3.219',
  MessageDisplayHookInput: '0.3.152',
};
