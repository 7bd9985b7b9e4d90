import * as z from 'zod/mini';
import { type Infer, lazy, openEnum, optional } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** The inputs of the hooks around what the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: lazy(() =>
    hookInputOf('UserPromptSubmit', {
      prompt: z.string(),
      source: optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])),
      session_title: optional(z.string()),
    }),
  ),
  UserPromptExpansion: lazy(() =>
    hookInputOf('UserPromptExpansion', {
      expansion_type: openEnum(['slash_command', 'mcp_prompt']),
      command_name: z.string(),
      command_args: z.string(),
      command_source: optional(z.string()),
      prompt: z.string(),
    }),
  ),
  Notification: lazy(() =>
    hookInputOf('Notification', { message: z.string(), title: optional(z.string()), notification_type: z.string() }),
  ),
  MessageDisplay: lazy(() =>
    hookInputOf('MessageDisplay', {
      turn_id: z.string(),
      message_id: z.string(),
      index: z.number(),
      final: z.boolean(),
      delta: z.string(),
    }),
  ),
  Elicitation: lazy(() =>
    hookInputOf('Elicitation', {
      mcp_server_name: z.string(),
      message: z.string(),
      mode: optional(openEnum(['form', 'url'])),
      url: optional(z.string()),
      elicitation_id: optional(z.string()),
      requested_schema: optional(z.record(z.string(), z.unknown())),
    }),
  ),
  ElicitationResult: lazy(() =>
    hookInputOf('ElicitationResult', {
      mcp_server_name: z.string(),
      elicitation_id: optional(z.string()),
      mode: optional(openEnum(['form', 'url'])),
      action: openEnum(['accept', 'decline', 'cancel']),
      content: optional(z.record(z.string(), z.unknown())),
    }),
  ),
};

/** The answers of the hooks around what the user reads and writes that are particular to their event. */
export const promptHookOutputs = {
  UserPromptSubmit: lazy(() =>
    specificOutputOf('UserPromptSubmit', {
      additionalContext: optional(z.string()),
      sessionTitle: optional(z.string()),
      suppressOriginalPrompt: optional(z.boolean()),
    }),
  ),
  UserPromptExpansion: lazy(() =>
    specificOutputOf('UserPromptExpansion', {
      additionalContext: optional(z.string()),
      suppressOriginalPrompt: optional(z.boolean()),
    }),
  ),
  Notification: lazy(() => specificOutputOf('Notification', { additionalContext: optional(z.string()) })),
  MessageDisplay: lazy(() => specificOutputOf('MessageDisplay', { displayContent: optional(z.string()) })),
  Elicitation: lazy(() =>
    specificOutputOf('Elicitation', {
      action: optional(openEnum(['accept', 'decline', 'cancel'])),
      content: optional(z.record(z.string(), z.unknown())),
    }),
  ),
  ElicitationResult: lazy(() =>
    specificOutputOf('ElicitationResult', {
      action: optional(openEnum(['accept', 'decline', 'cancel'])),
      content: optional(z.record(z.string(), z.unknown())),
    }),
  ),
};

/** A prompt is about to be taken. */
export type UserPromptSubmitHookInput = Infer<typeof promptHookInputs.UserPromptSubmit>;

/** A command is about to become the prompt it stands for. */
export type UserPromptExpansionHookInput = Infer<typeof promptHookInputs.UserPromptExpansion>;

/** The agent wants the attention of the user. */
export type NotificationHookInput = Infer<typeof promptHookInputs.Notification>;

/** A piece of text is about to be shown. */
export type MessageDisplayHookInput = Infer<typeof promptHookInputs.MessageDisplay>;

/** A server asks the user something; the hook may answer for them. */
export type ElicitationHookInput = Infer<typeof promptHookInputs.Elicitation>;

/** The user answered a server; the hook may change the answer. */
export type ElicitationResultHookInput = Infer<typeof promptHookInputs.ElicitationResult>;

/** What a hook of `UserPromptSubmit` may answer beside the common members. */
export type UserPromptSubmitHookSpecificOutput = Infer<typeof promptHookOutputs.UserPromptSubmit>;

/** What a hook of `UserPromptExpansion` may answer beside the common members. */
export type UserPromptExpansionHookSpecificOutput = Infer<typeof promptHookOutputs.UserPromptExpansion>;

/** What a hook of `Notification` may answer beside the common members. */
export type NotificationHookSpecificOutput = Infer<typeof promptHookOutputs.Notification>;

/** What a hook of `MessageDisplay` may answer beside the common members. */
export type MessageDisplayHookSpecificOutput = Infer<typeof promptHookOutputs.MessageDisplay>;

/** What a hook of `Elicitation` may answer beside the common members. */
export type ElicitationHookSpecificOutput = Infer<typeof promptHookOutputs.Elicitation>;

/** What a hook of `ElicitationResult` may answer beside the common members. */
export type ElicitationResultHookSpecificOutput = Infer<typeof promptHookOutputs.ElicitationResult>;
