import * as z from 'zod/mini';
import { agentMessage, systemMessage, timestamp, uuid } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';
import { permissionMode } from '../permissions.ts';

export const workerShuttingDownMessage = systemMessage('worker_shutting_down', {
  reason: z.string().check(z.describe('Why the worker shuts down, as a code in `snake_case`.')),
}).register(protocol, {
  id: 'SDKWorkerShuttingDownMessage',
  description: 'A remote worker is shutting down in an orderly way. A worker may also end without sending this message.',
});

export const sessionWritesLostMessage = systemMessage('session_writes_lost', {
  error_code: openEnum(['ENOSPC', 'EDQUOT']).check(
    z.describe('The error code of the operating system: `ENOSPC` for a full disk, `EDQUOT` for an exhausted quota.'),
  ),
  lost: z.array(openEnum(['transcript', 'global_config'])),
  transcript_session_ids: z.optional(z.array(z.string())),
}).register(protocol, { id: 'SDKSessionWritesLostMessage', description: 'The disk was full, so parts of the session were not saved.' });

export const mirrorErrorMessage = systemMessage('mirror_error', {
  error: z.string(),
  key: openObject({ projectKey: z.string(), sessionId: z.string(), subpath: z.optional(z.string()) }).check(
    z.describe('The key under which the session store keeps the entries.'),
  ),
}).register(protocol, {
  id: 'SDKMirrorErrorMessage',
  description: "The host's session store could not append entries. Host libraries create this message; agents never send it.",
});

export const sessionTitleChangedMessage = systemMessage('session_title_changed', { title: z.string() }).register(protocol, {
  id: 'SDKSessionTitleChangedMessage',
  description: 'The title of the session has changed. Seen on the wire, not declared by the published SDK.',
});

export const uiInvalidateMessage = systemMessage('ui_invalidate', { event: z.string() }).register(protocol, {
  id: 'SDKUiInvalidateMessage',
  description: 'Data that a user interface displays is out of date. Seen on the wire, not declared by the published SDK.',
});

export const status = z
  .nullable(openEnum(['compacting', 'requesting']))
  .register(protocol, { id: 'SDKStatus', description: 'What the agent is currently doing. `null` if the host should display nothing.' });

export const statusMessage = systemMessage('status', {
  status: status.check(z.describe('What the agent is currently doing. Agents send `requesting` only if the host requested stream events.')),
  permissionMode: z.optional(permissionMode).check(z.describe('The new permission mode. Absent if the mode has not changed.')),
  compact_result: z.optional(openEnum(['success', 'failed'])).check(z.describe('The outcome of a compaction. Present only after a compaction has ended.')),
  compact_error: z.optional(z.string()).check(z.describe('Why a compaction failed, as a code such as `too_few_groups`.')),
  // Seen on the wire, not declared by the published SDK.
  compact_output_chars: z.optional(z.number()),
  user_message_uuids: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that the turn answers.')),
}).register(protocol, { id: 'SDKStatusMessage', description: 'What the agent is currently doing, or a change of its permission mode.' });

export const sessionStateChangedMessage = systemMessage('session_state_changed', {
  state: openEnum(['idle', 'running', 'requires_action']),
  // Seen on the wire, not declared by the published SDK.
  sdk_host_only: z
    .optional(z.boolean())
    .check(z.describe("True if the message is meant only for the host's library, which does not pass it on to the host program.")),
}).register(protocol, {
  id: 'SDKSessionStateChangedMessage',
  description: 'Whether the session is running, is waiting for a person, or is idle. The state `idle` is sent after the result of the turn.',
});

export const thinkingTokensMessage = systemMessage('thinking_tokens', {
  estimated_tokens: z.number().check(z.describe('The estimated number of tokens in the thinking block so far.')),
  estimated_tokens_delta: z.number().check(z.describe('The increase of the estimate since the previous message.')),
  user_message_uuid: z.optional(z.string()).check(z.describe('The `uuid` of the prompt that the turn answers.')),
}).register(protocol, {
  id: 'SDKThinkingTokensMessage',
  description: 'How much the model has thought so far. Sent while the text of the thinking is withheld.',
});

export const compactBoundaryMessage = systemMessage('compact_boundary', {
  compact_metadata: openObject({
    trigger: openEnum(['manual', 'auto']),
    pre_tokens: z.number().check(z.describe('Tokens of the history before the compaction.')),
    post_tokens: z.optional(z.number()).check(z.describe('Tokens of the history after the compaction.')),
    duration_ms: z.optional(z.number()),
    cumulative_dropped_tokens: z.optional(z.number()),
    preserved_segment: z
      .optional(
        openObject({ head_uuid: uuid, anchor_uuid: uuid.check(z.describe('The `uuid` of the message that the kept messages now follow.')), tail_uuid: uuid }),
      )
      .check(z.describe('The range of messages that were kept, given by the first and the last message.')),
    preserved_messages: z
      .optional(
        openObject({
          anchor_uuid: uuid.check(z.describe('The `uuid` of the message that the kept messages now follow.')),
          uuids: z.array(uuid),
          all_uuids: z.optional(z.array(uuid)),
        }),
      )
      .check(z.describe('The messages that were kept, by `uuid`.')),
  }),
  logical_parent_uuid: z.optional(uuid).check(z.describe('The `uuid` of the message that this message follows in the conversation.')),
}).register(protocol, { id: 'SDKCompactBoundaryMessage', description: 'The history before this message was compacted.' });

export const conversationResetMessage = agentMessage('conversation_reset', {
  new_conversation_id: uuid.check(z.describe('The key of the new transcript. The following messages have a new `session_id`, which differs from this key.')),
  trigger: z.optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
  user_message_uuid: z.optional(z.string()).check(z.describe('The `uuid` of the prompt `/clear`. Present only if `trigger` is `clear`.')),
  timestamp,
}).register(protocol, {
  id: 'SDKConversationResetMessage',
  description: 'A new, empty conversation starts. Later messages have a new `session_id`, and all totals restart at zero.',
});

export const activeGoalMessage = agentMessage('active_goal', {
  value: z.nullable(
    openObject({ condition: z.string(), iterations: z.number(), set_at: z.number(), tokens_at_start: z.number(), last_reason: z.optional(z.string()) }),
  ),
}).register(protocol, { id: 'SDKActiveGoalMessage', description: 'The goal that the agent is working towards. `value` is `null` after the goal was cleared.' });
