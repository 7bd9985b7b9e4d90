import * as z from 'zod/mini';
import { contentBlock } from './content-blocks.ts';
import { agentMessage, fromSubagent, messageOrigin, parentToolUseId, timestamp, uuid } from './message-members.ts';
import { carried, openEnum, openObject, protocol } from './open.ts';

export const promptContent = z
  .union([z.string(), z.array(contentBlock)])
  .register(protocol, { id: 'PromptContent', description: 'A string, or a list of content blocks.' });

// The type allows all roles, like the type of the model API, but an agent exits when it receives a `user` message whose role is not `user`.
const role = z.literal('user').register(protocol, { type: "'user' | 'assistant' | 'system'" });

export const messageParam = openObject({ role, content: promptContent }).register(protocol, {
  id: 'MessageParam',
  description: 'A message in the format that the model API accepts.',
});

const permissionDecision = openObject({
  decision: openEnum(['accept', 'reject']),
  source: openEnum(['user_temporary', 'user_permanent', 'user_reject', 'hook', 'config']).check(
    z.describe('Who decided: the configuration, a hook, or the user, either for this call only or permanently.'),
  ),
  reason_type: z.optional(z.string()).check(z.describe('The basis of the decision, such as `rule` or `mode`.')),
});

export const toolResultMeta = openObject({
  id: z.string().check(z.describe('The `tool_use_id` of the tool result that this entry describes.')),
  non_execution_kind: z
    .optional(openEnum(['permission-rule', 'user-rejected', 'automode-blocked', 'automode-unavailable', 'automode-parsing-error', 'interrupted', 'cancelled']))
    .check(
      z.describe(
        'Why the tool did not run to completion: a permission rule, the user or the classifier refused the call, or the call was interrupted or cancelled.',
      ),
    ),
  permission_decision: z.optional(permissionDecision),
}).register(protocol, { id: 'ToolResultMeta', description: 'Why a tool ran or did not run. Seen on the wire, not declared by the published SDK.' });

const inPromptAndReplay = () => ({
  message: messageParam,
  parent_tool_use_id: parentToolUseId,
  isSynthetic: z.optional(z.boolean()).check(z.describe('True if the text was not typed by a person, for example if a hook wrote it.')),
  tool_use_result: z
    .optional(z.unknown())
    .check(z.describe('The complete output of the tool, which a host may display. It is a string, or an object whose shape depends on the tool.')),
  priority: z
    .optional(openEnum(['now', 'next', 'later']))
    .check(
      z.describe(
        'When the prompt runs. `now` aborts the running turn and runs this prompt next. Otherwise, the prompt runs after the prompts that are already queued.',
      ),
    ),
  origin: z.optional(messageOrigin).check(z.describe('Who wrote the text. If absent, the writer is unknown. An ordinary host may only set `human`.')),
  shouldQuery: z
    .optional(z.boolean())
    .check(z.describe('If false, the text is added to the conversation without running a turn. The agent confirms this with a result whose `num_turns` is 0.')),
  timestamp: timestamp,
  client_composed: z
    .optional(z.literal(true))
    .check(z.describe('True if the agent must use the text literally, without expanding `@path` and without running slash commands.')),
  // Seen on the wire, not declared by the published SDK.
  tool_result_meta: z.optional(z.array(toolResultMeta)),
});

export const userMessage = openObject({
  type: z.literal('user'),
  ...inPromptAndReplay(),
  // A published host leaves the member out when it is null, and agents accept that.
  parent_tool_use_id: carried(z.nullable(z.string())).check(
    z.describe('The id of the tool call that the subagent works for. `null` in a prompt and in the main conversation.'),
  ),
  uuid: z
    .optional(uuid)
    .check(
      z.describe(
        'The id of the message. The host chooses the id of a prompt. The agent refers to the prompt by this id, and does not run a second prompt with the same id.',
      ),
    ),
  session_id: z
    .optional(z.string())
    .check(z.describe('The session of the message. In a prompt, this member has no effect, and hosts send an empty string or leave the member out.')),
  pasted_content: z
    .optional(z.array(promptContent))
    .check(z.describe('Pasted texts and blocks, which the agent appends to the typed text. If there are more than 1000, the agent ignores all of them.')),
  inline_pastes: z.optional(z.array(z.string())).check(z.describe('The pasted texts that `message` contains. The agent uses only the first 100.')),
  ...fromSubagent,
  // Seen on the wire, not declared by the published SDK.
  isReplay: z
    .optional(z.boolean())
    .check(z.describe('Whether the message is an echo. If an agent sends the value `true`, the message is an `SDKUserMessageReplay`.')),
}).register(protocol, {
  id: 'SDKUserMessage',
  description: 'A message from a host is a prompt. A message from an agent is a tool result, or a text that the agent itself wrote.',
});

export const userMessageReplay = agentMessage('user', {
  ...inPromptAndReplay(),
  isReplay: z.literal(true).check(z.describe('Marks the message as the echo of a prompt.')),
  file_attachments: z.optional(z.array(z.unknown())).check(z.describe('The attached files, as a remote session has resolved them.')),
}).register(protocol, { id: 'SDKUserMessageReplay', description: 'The echo of a prompt that the agent has accepted.' });

export const commandLifecycleMessage = agentMessage('command_lifecycle', {
  command_uuid: z.string().check(z.describe('The `uuid` that the host gave to the prompt.')),
  state: openEnum(['queued', 'started', 'completed', 'cancelled', 'discarded', 'refused']).check(
    z.describe(
      'The new state. The first state is `queued`, followed by `started`. Every other state is final. `completed` follows the result of the turn, or precedes the result if the prompt was added to a turn that was already running.',
    ),
  ),
}).register(protocol, {
  id: 'SDKCommandLifecycleMessage',
  description: 'The new state of a prompt that has a `uuid`. Seen on the wire, not declared by the published SDK.',
});

export const promptSuggestionMessage = agentMessage('prompt_suggestion', { suggestion: z.string() }).register(protocol, {
  id: 'SDKPromptSuggestionMessage',
  description: "A suggestion for the user's next prompt. Sent after a result.",
});

export const queuedNotificationMessage = openObject({ type: z.literal('queued_notification') }).register(protocol, {
  id: 'SDKQueuedNotificationMessage',
  description: 'A notification for an agent with the capability `queued_notifications`. The other members of this message are not known.',
});
