import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, protocol } from '../open.ts';

/** The inputs of the hooks around what the user reads and writes. */
export const promptHookInputs = {
  UserPromptSubmit: hookInputOf('UserPromptSubmit', {
    prompt: z.string(),
    source: z.optional(openEnum(['user', 'sdk', 'system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])).check(z.describe('Who or what made the prompt.')),
    session_title: z.optional(z.string()).check(z.describe('The title that the session has, where it has one.')),
  }).register(protocol, { id: 'UserPromptSubmitHookInput', description: 'A prompt is about to be taken.' }),
  UserPromptExpansion: hookInputOf('UserPromptExpansion', {
    expansion_type: openEnum(['slash_command', 'mcp_prompt']).check(
      z.describe('`slash_command` for commands and skills, `mcp_prompt` for prompts of an MCP server.'),
    ),
    command_name: z.string().check(z.describe('The name without its slash.')),
    command_args: z.string().check(z.describe('What stands behind the name.')),
    command_source: z.optional(z.string()).check(z.describe('Where the command comes from, such as `plugin`.')),
    prompt: z.string().check(z.describe('What was typed, as it was.')),
  }).register(protocol, { id: 'UserPromptExpansionHookInput', description: 'A command is about to become the prompt it stands for.' }),
  Notification: hookInputOf('Notification', {
    message: z.string(),
    title: z.optional(z.string()),
    notification_type: z.string().check(z.describe('What it is about, such as `permission_prompt`; a matcher is compared with it.')),
  }).register(protocol, { id: 'NotificationHookInput', description: 'The agent wants the attention of the user.' }),
  MessageDisplay: hookInputOf('MessageDisplay', {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean().check(z.describe('Whether this is the last piece.')),
    delta: z.string().check(z.describe('The text of this piece alone.')),
  }).register(protocol, { id: 'MessageDisplayHookInput', description: 'A piece of text is about to be shown.' }),
  Elicitation: hookInputOf('Elicitation', {
    mcp_server_name: z.string().check(z.describe('The server that asks; a matcher is compared with it.')),
    message: z.string().check(z.describe('What the server wants to know, for the user to read.')),
    mode: z
      .optional(openEnum(['form', 'url']))
      .check(z.describe('`form`, also where it is absent, asks for fields to be filled in; `url` sends the user to a web page.')),
    url: z.optional(z.string()).check(z.describe('The web page to open; with the mode `url` only.')),
    elicitation_id: z
      .optional(z.string())
      .check(z.describe('With the mode `url`: the message `elicitation_complete` names it when the server has what it wants.')),
    requested_schema: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The JSON Schema of the fields to fill in; with the mode `form` only.')),
  }).register(protocol, { id: 'ElicitationHookInput', description: 'A server asks the user something; the hook may answer for them.' }),
  ElicitationResult: hookInputOf('ElicitationResult', {
    mcp_server_name: z.string().check(z.describe('The server that asked; a matcher is compared with it.')),
    elicitation_id: z.optional(z.string()),
    mode: z.optional(openEnum(['form', 'url'])),
    action: openEnum(['accept', 'decline', 'cancel']).check(
      z.describe('`accept` comes with what the user has filled in, `decline` is a no, `cancel` no answer at all.'),
    ),
    content: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('The fields of the form that the user has filled in, by name; with `accept` only.')),
  }).register(protocol, { id: 'ElicitationResultHookInput', description: 'The user answered a server; the hook may change the answer.' }),
};

/** The answers of the hooks around what the user reads and writes that are particular to their event. */
export const promptHookOutputs = {
  UserPromptSubmit: specificOutputOf('UserPromptSubmit', {
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given along with the prompt.')),
    sessionTitle: z.optional(z.string()).check(z.describe('A new title for the session.')),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }).register(protocol, { id: 'UserPromptSubmitHookSpecificOutput', description: 'What a hook of `UserPromptSubmit` may answer beside the common members.' }),
  UserPromptExpansion: specificOutputOf('UserPromptExpansion', {
    additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given along with the prompt.')),
    suppressOriginalPrompt: z.optional(z.boolean()),
  }).register(protocol, {
    id: 'UserPromptExpansionHookSpecificOutput',
    description: 'What a hook of `UserPromptExpansion` may answer beside the common members.',
  }),
  Notification: specificOutputOf('Notification', { additionalContext: z.optional(z.string()).check(z.describe('Text that the model is given.')) }).register(
    protocol,
    { id: 'NotificationHookSpecificOutput', description: 'What a hook of `Notification` may answer beside the common members.' },
  ),
  MessageDisplay: specificOutputOf('MessageDisplay', {
    displayContent: z.optional(z.string()).check(z.describe('What is shown in place of the piece; what the model has said stays as it was.')),
  }).register(protocol, { id: 'MessageDisplayHookSpecificOutput', description: 'What a hook of `MessageDisplay` may answer beside the common members.' }),
  Elicitation: specificOutputOf('Elicitation', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe('The answer for the user, who is not asked then.')),
    content: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('The fields of the form by name, as `requested_schema` describes them; with `accept` only.')),
  }).register(protocol, { id: 'ElicitationHookSpecificOutput', description: 'What a hook of `Elicitation` may answer beside the common members.' }),
  ElicitationResult: specificOutputOf('ElicitationResult', {
    action: z.optional(openEnum(['accept', 'decline', 'cancel'])).check(z.describe('The answer in place of that of the user.')),
    content: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The fields in place of those of the user; with `accept` only.')),
  }).register(protocol, { id: 'ElicitationResultHookSpecificOutput', description: 'What a hook of `ElicitationResult` may answer beside the common members.' }),
};
