import * as z from 'zod/mini';
import { elicitationAnswer, elicitationForm } from '../elicitation.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

/** The inputs of the hooks around what the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: hookInputOf('UserPromptSubmit', 'A prompt is about to be taken.', {
    prompt: z.string(),
    source: z.optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])).check(z.describe('Who or what made the prompt.')),
    session_title: z.optional(z.string()).check(z.describe('The title that the session has, where it has one.')),
  }),
  UserPromptExpansion: hookInputOf('UserPromptExpansion', 'A command is about to become the prompt it stands for.', {
    expansion_type: openEnum(['slash_command', 'mcp_prompt']).check(
      z.describe('`slash_command` for commands and skills, `mcp_prompt` for prompts of an MCP server.'),
    ),
    command_name: z.string().check(z.describe('The name without its slash.')),
    command_args: z.string().check(z.describe('What stands behind the name.')),
    command_source: z.optional(z.string()).check(z.describe('Where the command comes from, such as `plugin`.')),
    prompt: z.string().check(z.describe('What was typed, as it was.')),
  }),
  Notification: hookInputOf('Notification', 'The agent wants the attention of the user.', {
    message: z.string(),
    title: z.optional(z.string()),
    notification_type: z.string().check(z.describe('What it is about, such as `permission_prompt`; a matcher is compared with it.')),
  }),
  MessageDisplay: hookInputOf('MessageDisplay', 'A piece of text is about to be shown.', {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean().check(z.describe('Whether this is the last piece.')),
    delta: z.string().check(z.describe('The text of this piece alone.')),
  }),
  Elicitation: hookInputOf('Elicitation', 'A server asks the user something; the hook may answer for them.', {
    mcp_server_name: z.string().check(z.describe('The server that asks; a matcher is compared with it.')),
    ...elicitationForm,
  }),
  ElicitationResult: hookInputOf('ElicitationResult', 'The user answered a server; the hook may change the answer.', {
    mcp_server_name: z.string().check(z.describe('The server that asked; a matcher is compared with it.')),
    elicitation_id: z.optional(z.string()),
    mode: z.optional(openEnum(['form', 'url'])),
    ...elicitationAnswer,
  }),
};

/** The answers of the hooks around what the user reads and writes that are particular to their event. */
export const promptHookOutputs = {
  UserPromptSubmit: specificOutputOf('UserPromptSubmit', {
    ...additionalContext('Text that the model is given along with the prompt.'),
    sessionTitle: z.optional(z.string()).check(z.describe('A new title for the session.')),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }),
  UserPromptExpansion: specificOutputOf('UserPromptExpansion', {
    ...additionalContext('Text that the model is given along with the prompt.'),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }),
  Notification: specificOutputOf('Notification', additionalContext('Text that the model is given.')),
  MessageDisplay: specificOutputOf('MessageDisplay', {
    displayContent: z.optional(z.string()).check(z.describe('What is shown in place of the piece; what the model has said stays as it was.')),
  }),
  Elicitation: specificOutputOf('Elicitation', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe('The answer for the user, who is not asked then.')),
    content: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('The fields of the form by name, as `requested_schema` describes them; with `accept` only.')),
  }),
  ElicitationResult: specificOutputOf('ElicitationResult', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe('The answer in place of that of the user.')),
    content: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The fields in place of those of the user; with `accept` only.')),
  }),
};
