import { optional } from '../object-schema.ts';
import { boolean, type Infer, lazy, number, openEnum, record, string, unknown } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** The inputs of the hooks around what the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: lazy(() =>
    hookInputOf('UserPromptSubmit', {
      prompt: string,
      source: optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])),
      session_title: optional(string),
    }),
  ),
  UserPromptExpansion: lazy(() =>
    hookInputOf('UserPromptExpansion', {
      expansion_type: openEnum(['slash_command', 'mcp_prompt']),
      command_name: string,
      command_args: string,
      command_source: optional(string),
      prompt: string,
    }),
  ),
  Notification: lazy(() =>
    hookInputOf('Notification', { message: string, title: optional(string), notification_type: string }),
  ),
  MessageDisplay: lazy(() =>
    hookInputOf('MessageDisplay', {
      turn_id: string,
      message_id: string,
      index: number,
      final: boolean,
      delta: string,
    }),
  ),
  Elicitation: lazy(() =>
    hookInputOf('Elicitation', {
      mcp_server_name: string,
      message: string,
      mode: optional(openEnum(['form', 'url'])),
      url: optional(string),
      elicitation_id: optional(string),
      requested_schema: optional(record(unknown)),
    }),
  ),
  ElicitationResult: lazy(() =>
    hookInputOf('ElicitationResult', {
      mcp_server_name: string,
      elicitation_id: optional(string),
      mode: optional(openEnum(['form', 'url'])),
      action: openEnum(['accept', 'decline', 'cancel']),
      content: optional(record(unknown)),
    }),
  ),
};

/** The answers of the hooks around what the user reads and writes that are particular to their event. */
export const promptHookOutputs = {
  UserPromptSubmit: lazy(() =>
    specificOutputOf('UserPromptSubmit', {
      additionalContext: optional(string),
      sessionTitle: optional(string),
      suppressOriginalPrompt: optional(boolean),
    }),
  ),
  UserPromptExpansion: lazy(() =>
    specificOutputOf('UserPromptExpansion', {
      additionalContext: optional(string),
      suppressOriginalPrompt: optional(boolean),
    }),
  ),
  Notification: lazy(() => specificOutputOf('Notification', { additionalContext: optional(string) })),
  MessageDisplay: lazy(() => specificOutputOf('MessageDisplay', { displayContent: optional(string) })),
  Elicitation: lazy(() =>
    specificOutputOf('Elicitation', {
      action: optional(openEnum(['accept', 'decline', 'cancel'])),
      content: optional(record(unknown)),
    }),
  ),
  ElicitationResult: lazy(() =>
    specificOutputOf('ElicitationResult', {
      action: optional(openEnum(['accept', 'decline', 'cancel'])),
      content: optional(record(unknown)),
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
