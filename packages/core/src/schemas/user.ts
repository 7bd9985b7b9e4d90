import * as z from 'zod/mini';
import { contentBlock } from './content-blocks.ts';
import { agentMessage, fromSubagent, messageOrigin, parentToolUseId, timestamp, uuid } from './message-members.ts';
import { carried, openEnum, openObject, protocol } from './open.ts';

export const promptContent = z.union([z.string(), z.array(contentBlock)]).register(protocol, { id: 'PromptContent', description: 'Text, or content blocks.' });

// The type allows all roles, like the type of the model API; an agent ends at a `user` message whose role is not `user`.
const role = z.literal('user').register(protocol, { type: "'user' | 'assistant' | 'system'" });

export const messageParam = openObject({ role, content: promptContent }).register(protocol, {
  id: 'MessageParam',
  description: 'A message as the model API takes it.',
});

const permissionDecision = openObject({
  decision: openEnum(['accept', 'reject']),
  source: openEnum(['user_temporary', 'user_permanent', 'user_reject', 'hook', 'config']).check(
    z.describe('Who decided: the configuration, a hook, or the user, for this call only or for good.'),
  ),
  reason_type: z.optional(z.string()).check(z.describe('What the decision rests on, such as `rule` or `mode`.')),
});

export const toolResultMeta = openObject({
  id: z.string().check(z.describe('The `tool_use_id` of the tool result that this is about.')),
  non_execution_kind: z.optional(openEnum(['permission-rule', 'user-rejected'])).check(z.describe('Who kept the tool from running: a rule, or the user.')),
  permission_decision: z.optional(permissionDecision),
}).register(protocol, { id: 'ToolResultMeta', description: 'How it came that a tool ran or did not. Seen, not declared.' });

/** The members that a prompt and its echo share. */
const inPromptAndReplay = () => ({
  message: messageParam,
  parent_tool_use_id: parentToolUseId,
  isSynthetic: z.optional(z.boolean()).check(z.describe('True for a text that no person typed, such as what a hook has to say.')),
  tool_use_result: z
    .optional(z.unknown())
    .check(z.describe('All that the tool gave, for a host to show: a text, or an object whose shape depends on the tool.')),
  priority: z
    .optional(openEnum(['now', 'next', 'later']))
    .check(z.describe('With `now` the running turn is cut and the prompt runs next; without it, behind the prompts that wait.')),
  origin: z.optional(messageOrigin).check(z.describe('Who the text comes from, not known where absent; an ordinary host may claim no more than `human`.')),
  shouldQuery: z.optional(z.boolean()).check(z.describe('False adds the text to the conversation without a turn; a result with `num_turns` 0 confirms it.')),
  timestamp: timestamp,
  client_composed: z.optional(z.literal(true)).check(z.describe('The text is meant as it stands: no `@path` in it is expanded, and no slash command is run.')),
  // Seen, not declared.
  tool_result_meta: z.optional(z.array(toolResultMeta)),
});

export const userMessage = openObject({
  type: z.literal('user'),
  ...inPromptAndReplay(),
  // A published host leaves the member out when it is null, and agents accept that.
  parent_tool_use_id: carried(z.nullable(z.string())).check(
    z.describe('The call of the tool that the subagent works for; null in a prompt and in the main conversation.'),
  ),
  uuid: z.optional(uuid).check(z.describe('In a prompt the host chooses it: one seen before is not run again, and the agent names the prompt by it.')),
  session_id: z.optional(z.string()).check(z.describe('Of no effect in a prompt, where hosts write an empty text or leave it out.')),
  pasted_content: z
    .optional(z.array(promptContent))
    .check(z.describe('Pasted texts and blocks that are put behind the typed text; all ignored where they are more than 1000.')),
  inline_pastes: z.optional(z.array(z.string())).check(z.describe('The pasted texts that `message` itself holds; at most 100 are looked at.')),
  ...fromSubagent,
}).register(protocol, { id: 'SDKUserMessage', description: 'From the host a prompt; from the agent a tool result or a text it made up.' });

export const userMessageReplay = agentMessage('user', {
  ...inPromptAndReplay(),
  isReplay: z.literal(true).check(z.describe('Tells the echo of a prompt from the other `user` messages.')),
  file_attachments: z.optional(z.array(z.unknown())).check(z.describe('The attached files, as a remote session has found them.')),
}).register(protocol, { id: 'SDKUserMessageReplay', description: 'The echo of a prompt the agent took.' });

export const commandLifecycleMessage = agentMessage('command_lifecycle', {
  command_uuid: z.string().check(z.describe('The `uuid` that the host gave to the prompt.')),
  state: openEnum(['queued', 'started', 'completed', 'cancelled', 'discarded', 'refused']).check(
    z.describe('First `queued`, then `started`; every other state is final, and `completed` comes after the result of the turn.'),
  ),
}).register(protocol, { id: 'SDKCommandLifecycleMessage', description: 'What became of a prompt that carried a `uuid`. Seen, not declared.' });

export const promptSuggestionMessage = agentMessage('prompt_suggestion', { suggestion: z.string() }).register(protocol, {
  id: 'SDKPromptSuggestionMessage',
  description: 'A prompt the user may want to send next; follows a result.',
});

export const queuedNotificationMessage = openObject({ type: z.literal('queued_notification') }).register(protocol, {
  id: 'SDKQueuedNotificationMessage',
  description: 'A notification for an agent that has the capability `queued_notifications`; what else it carries is not known.',
});
