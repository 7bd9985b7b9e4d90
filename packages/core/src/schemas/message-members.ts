import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

/** An id, usually created by `randomUUID`. Any string is valid, because ids are only compared and passed on, and some agents use a different form. */
export const uuid = z.string().register(protocol, { type: 'UUID' });

/**
 * Creates the schema of a message from an agent. The message contains its type, the given members, and `uuid` and `session_id`, which all messages
 * from agents contain.
 */
export function agentMessage<const Type extends string, Members extends z.core.$ZodShape>(type: Type, members: Members) {
  return openObject({ type: z.literal(type), ...members, uuid, session_id: z.string() });
}

/** Creates the schema of a `system` message from an agent. The message contains its subtype and the given members. */
export function systemMessage<const Subtype extends string, Members extends z.core.$ZodShape>(subtype: Subtype, members: Members) {
  return agentMessage('system', { subtype: z.literal(subtype), ...members });
}

/** The members of a message that say which prompts the message answers. */
export const promptsAnswered = {
  user_message_uuid: z
    .optional(z.string())
    .check(
      z.describe(
        'The `uuid` of the prompt that the turn answers. Present only on the first reply and on the result of the turn, and only if the prompt has a `uuid`.',
      ),
    ),
  user_message_uuids: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        'The `uuid`s of all prompts that have been part of the turn so far, in order, at most 64. Present whenever `user_message_uuid` is present, and includes that `uuid`.',
      ),
    ),
  resume_reason: z
    .optional(z.string())
    .check(
      z.describe(
        'Why the turn was resumed. Present only if the turn continues an earlier turn that a worker restart cut off. The value is `interrupted_turn`, unless the agent was given a different reason.',
      ),
    ),
};

/** The tool call that a message of a subagent belongs to. */
export const parentToolUseId = z
  .nullable(z.string())
  .check(z.describe('The id of the tool call that the subagent works for. `null` in the main conversation.'));

/** The kind of a subagent. */
export const subagentType = z.optional(z.string()).check(z.describe('The kind of the subagent, such as `general-purpose`.'));

/** The members of a message that say which subagent made the message. */
export const fromSubagent = {
  agent_id: z
    .optional(z.string())
    .check(z.describe('The id of the subagent that made the message, which is also the `task_id` of its task. Absent in the main conversation.')),
  subagent_type: subagentType,
  task_description: z.optional(z.string()).check(z.describe('The description of the task given to the subagent.')),
};

/** When a message was made. */
export const timestamp = z.optional(z.string()).check(z.describe('When the message was made, in ISO 8601. Display this time, but do not sort messages by it.'));

const nothingMore = openObject({ kind: z.enum(['human', 'coordinator', 'unclassified', 'auto-continuation', 'observer-activity']) });

export const messageOrigin = openUnion(
  'kind',
  [
    nothingMore,
    openObject({ kind: z.literal('channel'), server: z.string() }),
    openObject({
      kind: z.literal('peer'),
      from: z.string(),
      fromMode: z.optional(openEnum(['bypass', 'prompting'])),
      name: z.optional(z.string()),
      fromSession: z.optional(z.string()),
      senderTaskId: z.optional(z.string()),
      body: z.optional(z.string()),
      verifiedPeerPid: z.optional(z.number()),
    }),
    openObject({
      kind: z.literal('task-notification'),
      subkind: z.optional(openEnum(['scheduled-trigger', 'peer-send-message', 'projects-relay', 'session-inbox', 'external-event'])),
      fireReason: z.optional(z.string()),
      producer: z.optional(z.string()).check(z.describe('What sent the notification, such as `session-task`.')),
      runId: z.optional(z.string()).check(z.describe('The `run_id` of the task that ended.')),
    }),
    openObject({ kind: z.literal('observer'), from: z.string(), senderTaskId: z.string() }),
  ],
  { id: 'SDKMessageOrigin', description: 'Who sent a message. If the `kind` is unknown, assume that the sender is not a person.' },
);
