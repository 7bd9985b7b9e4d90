import type * as Sdk from '@anthropic-ai/claude-agent-sdk';
import type * as Our from '@proto/core/messages';
import { expectTypeOf } from 'vitest';
import type { Different, Mutual } from './mutual.ts';

type SystemMessages = {
  [Subtype in Extract<Sdk.SDKMessage, { type: 'system' }>['subtype']]: [
    Extract<Our.SDKMessage, { type: 'system'; subtype: Subtype }>,
    Extract<Sdk.SDKMessage, { type: 'system'; subtype: Subtype }>,
  ];
};

expectTypeOf<Different<SystemMessages>>().toEqualTypeOf<never>();

type Messages = {
  SDKAssistantMessage: [Our.SDKAssistantMessage, Sdk.SDKAssistantMessage];
  SDKUserMessage: [Our.SDKUserMessage, Sdk.SDKUserMessage];
  SDKUserMessageReplay: [Our.SDKUserMessageReplay, Sdk.SDKUserMessageReplay];
  SDKResultSuccess: [Our.SDKResultSuccess, Sdk.SDKResultSuccess];
  SDKResultError: [Our.SDKResultError, Sdk.SDKResultError];
  SDKPartialAssistantMessage: [Our.SDKPartialAssistantMessage, Sdk.SDKPartialAssistantMessage];
  SDKToolProgressMessage: [Our.SDKToolProgressMessage, Sdk.SDKToolProgressMessage];
  SDKToolUseSummaryMessage: [Our.SDKToolUseSummaryMessage, Sdk.SDKToolUseSummaryMessage];
  SDKAuthStatusMessage: [Our.SDKAuthStatusMessage, Sdk.SDKAuthStatusMessage];
  SDKRateLimitEvent: [Our.SDKRateLimitEvent, Sdk.SDKRateLimitEvent];
  SDKPromptSuggestionMessage: [Our.SDKPromptSuggestionMessage, Sdk.SDKPromptSuggestionMessage];
  SDKConversationResetMessage: [Our.SDKConversationResetMessage, Sdk.SDKConversationResetMessage];
  SDKActiveGoalMessage: [Our.SDKActiveGoalMessage, Sdk.SDKActiveGoalMessage];
};

// The content of the model API: its types belong to another package, and have members that matter only there.
type FromTheApi = 'message' | 'event' | 'usage' | 'pasted_content';

type WithoutApi = {
  [Name in keyof Messages]: [Omit<Messages[Name][0], FromTheApi>, Omit<Messages[Name][1], FromTheApi>];
};

expectTypeOf<Different<WithoutApi>>().toEqualTypeOf<never>();

// A message type of the published SDK is assignable to ours. The other direction fails for these types.
expectTypeOf<Mutual<Different<Messages>, Carriers>>().toEqualTypeOf<true>();
type Carriers =
  | 'SDKAssistantMessage'
  | 'SDKPartialAssistantMessage'
  | 'SDKResultError'
  | 'SDKResultSuccess'
  | 'SDKUserMessage'
  | 'SDKUserMessageReplay';

type NotOurs = keyof { [Name in keyof Messages as Messages[Name][1] extends Messages[Name][0] ? never : Name]: never };

expectTypeOf<NotOurs>().toEqualTypeOf<never>();
expectTypeOf<Sdk.SDKMessage>().toExtend<Our.SDKMessage>();

type Shared = {
  ApiKeySource: [Our.ApiKeySource, Sdk.ApiKeySource];
  FastModeDisabledReason: [Our.FastModeDisabledReason, Sdk.FastModeDisabledReason];
  FastModeState: [Our.FastModeState, Sdk.FastModeState];
  ModelUsage: [Our.ModelUsage, Sdk.ModelUsage];
  SDKAssistantMessageError: [Our.SDKAssistantMessageError, Sdk.SDKAssistantMessageError];
  SDKContextUsage: [Our.SDKContextUsage, Sdk.SDKContextUsage];
  SDKDeferredToolUse: [Our.SDKDeferredToolUse, Sdk.SDKDeferredToolUse];
  SDKMcpResourceLink: [Our.SDKMcpResourceLink, Sdk.SDKMcpResourceLink];
  SDKMessageOrigin: [Our.SDKMessageOrigin, Sdk.SDKMessageOrigin];
  SDKPermissionDenial: [Our.SDKPermissionDenial, Sdk.SDKPermissionDenial];
  SDKRateLimitInfo: [Our.SDKRateLimitInfo, Sdk.SDKRateLimitInfo];
  SDKStartupFailureReason: [Our.SDKStartupFailureReason, Sdk.SDKStartupFailureReason];
  SDKStatus: [Our.SDKStatus, Sdk.SDKStatus];
  SDKUsageReport: [Our.SDKUsageReport, Sdk.SDKUsageReport];
  TerminalReason: [Our.TerminalReason, Sdk.TerminalReason];
};

expectTypeOf<Different<Shared>>().toEqualTypeOf<never>();
