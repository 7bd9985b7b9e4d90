import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, protocol } from '../open.ts';

/** The inputs of the hooks around what the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: hookInputOf('UserPromptSubmit', {
    prompt: z.string(),
    source: z.optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])),
    session_title: z.optional(z.string()),
  }).register(protocol, { id: 'UserPromptSubmitHookInput', description: 'A prompt is about to be taken.' }),
  UserPromptExpansion: hookInputOf('UserPromptExpansion', {
    expansion_type: openEnum(['slash_command', 'mcp_prompt']),
    command_name: z.string(),
    command_args: z.string(),
    command_source: z.optional(z.string()),
    prompt: z.string(),
  }).register(protocol, {
    id: 'UserPromptExpansionHookInput',
    description: 'A command is about to become the prompt it stands for.',
  }),
  Notification: hookInputOf('Notification', {
    message: z.string(),
    title: z.optional(z.string()),
    notification_type: z.string(),
  }).register(protocol, { id: 'NotificationHookInput', description: 'The agent wants the attention of the user.' }),
  MessageDisplay: hookInputOf('MessageDisplay', {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean(),
    delta: z.string(),
  }).register(protocol, { id: 'MessageDisplayHookInput', description: 'A piece of text is about to be shown.' }),
  Elicitation: hookInputOf('Elicitation', {
    mcp_server_name: z.string(),
    message: z.string(),
    mode: z.optional(openEnum(['form', 'url'])),
    url: z.optional(z.string()),
    elicitation_id: z.optional(z.string()),
    requested_schema: z.optional(z.record(z.string(), z.unknown())),
  }).register(protocol, {
    id: 'ElicitationHookInput',
    description: 'A server asks the user something; the hook may answer for them.',
  }),
  ElicitationResult: hookInputOf('ElicitationResult', {
    mcp_server_name: z.string(),
    elicitation_id: z.optional(z.string()),
    mode: z.optional(openEnum(['form', 'url'])),
    action: openEnum(['accept', 'decline', 'cancel']),
    content: z.optional(z.record(z.string(), z.unknown())),
  }).register(protocol, {
    id: 'ElicitationResultHookInput',
    description: 'The user answered a server; the hook may change the answer.',
  }),
};

/** The answers of the hooks around what the user reads and writes that are particular to their event. */
export const promptHookOutputs = {
  UserPromptSubmit: specificOutputOf('UserPromptSubmit', {
    additionalContext: z.optional(z.string()),
    sessionTitle: z.optional(z.string()),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }).register(protocol, {
    id: 'UserPromptSubmitHookSpecificOutput',
    description: 'What a hook of `UserPromptSubmit` may answer beside the common members.',
  }),
  UserPromptExpansion: specificOutputOf('UserPromptExpansion', {
    additionalContext: z.optional(z.string()),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }).register(protocol, {
    id: 'UserPromptExpansionHookSpecificOutput',
    description: 'What a hook of `UserPromptExpansion` may answer beside the common members.',
  }),
  Notification: specificOutputOf('Notification', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'NotificationHookSpecificOutput',
    description: 'What a hook of `Notification` may answer beside the common members.',
  }),
  MessageDisplay: specificOutputOf('MessageDisplay', { displayContent: z.optional(z.string()) }).register(protocol, {
    id: 'MessageDisplayHookSpecificOutput',
    description: 'What a hook of `MessageDisplay` may answer beside the common members.',
  }),
  Elicitation: specificOutputOf('Elicitation', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])),
    content: z.optional(z.record(z.string(), z.unknown())),
  }).register(protocol, {
    id: 'ElicitationHookSpecificOutput',
    description: 'What a hook of `Elicitation` may answer beside the common members.',
  }),
  ElicitationResult: specificOutputOf('ElicitationResult', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])),
    content: z.optional(z.record(z.string(), z.unknown())),
  }).register(protocol, {
    id: 'ElicitationResultHookSpecificOutput',
    description: 'What a hook of `ElicitationResult` may answer beside the common members.',
  }),
};
