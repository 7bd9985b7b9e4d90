import * as z from 'zod/mini';
import { elicitationAnswer, elicitationForm } from '../elicitation.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

/** The inputs of the hooks for texts that the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: hookInputOf('UserPromptSubmit', 'The agent is about to process a prompt.', {
    prompt: z.string(),
    source: z.optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])).check(z.describe('Who or what wrote the prompt.')),
    session_title: z.optional(z.string()).check(z.describe('The title of the session. Absent if the session has no title.')),
  }),
  UserPromptExpansion: hookInputOf('UserPromptExpansion', 'The agent is about to expand a command into a prompt.', {
    expansion_type: openEnum(['slash_command', 'mcp_prompt']).check(
      z.describe('The kind of the command: `slash_command` for commands and skills, `mcp_prompt` for prompts of an MCP server.'),
    ),
    command_name: z.string().check(z.describe('The name of the command, without the slash.')),
    command_args: z.string().check(z.describe('The text after the name of the command.')),
    command_source: z.optional(z.string()).check(z.describe('Where the command comes from, such as `plugin`.')),
    prompt: z.string().check(z.describe('The text that the user typed, unchanged.')),
  }),
  Notification: hookInputOf('Notification', "The agent needs the user's attention.", {
    message: z.string(),
    title: z.optional(z.string()),
    notification_type: z
      .string()
      .check(z.describe('The kind of the notification, such as `permission_prompt`. The matchers of hooks are compared with this value.')),
  }),
  MessageDisplay: hookInputOf('MessageDisplay', 'The agent is about to display a piece of text.', {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean().check(z.describe('Whether this is the last piece of the reply.')),
    delta: z.string().check(z.describe('The text of this piece, without earlier pieces.')),
  }),
  Elicitation: hookInputOf('Elicitation', 'An MCP server asks the user a question. The hook may answer in place of the user.', {
    mcp_server_name: z.string().check(z.describe('The server that asks the question. The matchers of hooks are compared with this value.')),
    ...elicitationForm,
  }),
  ElicitationResult: hookInputOf('ElicitationResult', 'The user has answered the question of an MCP server. The hook may change the answer.', {
    mcp_server_name: z.string().check(z.describe('The server that asked the question. The matchers of hooks are compared with this value.')),
    elicitation_id: z.optional(z.string()),
    mode: z.optional(openEnum(['form', 'url'])),
    ...elicitationAnswer,
  }),
};

/** The event-specific answer members of the hooks for texts that the user reads and writes. */
export const promptHookOutputs = {
  UserPromptSubmit: specificOutputOf('UserPromptSubmit', {
    ...additionalContext('Text for the model, which is added to the prompt.'),
    sessionTitle: z.optional(z.string()).check(z.describe('A new title for the session.')),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }),
  UserPromptExpansion: specificOutputOf('UserPromptExpansion', {
    ...additionalContext('Text for the model, which is added to the prompt.'),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }),
  Notification: specificOutputOf('Notification', additionalContext('Text for the model, which is added to the conversation.')),
  MessageDisplay: specificOutputOf('MessageDisplay', {
    displayContent: z.optional(z.string()).check(z.describe("The text to display instead of this piece. The model's reply itself does not change.")),
  }),
  Elicitation: specificOutputOf('Elicitation', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe("The hook's answer. If it is present, the user is not asked.")),
    content: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe("The values of the form's fields, by the name of the field, as `requested_schema` describes them. Present only with `accept`.")),
  }),
  ElicitationResult: specificOutputOf('ElicitationResult', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe("The answer that replaces the user's answer.")),
    content: z.optional(z.record(z.string(), z.unknown())).check(z.describe("The field values that replace the user's values. Present only with `accept`.")),
  }),
};
