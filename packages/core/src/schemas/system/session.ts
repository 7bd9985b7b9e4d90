import * as z from 'zod/mini';
import { agentMessage, systemMessage, timestamp, uuid } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';
import { permissionMode } from '../permissions.ts';

export const workerShuttingDownMessage = systemMessage('worker_shutting_down', {
  reason: z.string().check(z.describe('Why the worker leaves, as a code in `snake_case`.')),
}).register(protocol, { id: 'SDKWorkerShuttingDownMessage', description: 'A remote worker leaves in good order. That none came proves nothing.' });

export const sessionWritesLostMessage = systemMessage('session_writes_lost', {
  error_code: openEnum(['ENOSPC', 'EDQUOT']).check(
    z.describe('The code of the operating system: `ENOSPC` for a full disk, `EDQUOT` for a quota that is used up.'),
  ),
  lost: z.array(openEnum(['transcript', 'global_config'])),
  transcript_session_ids: z.optional(z.array(z.string())),
}).register(protocol, { id: 'SDKSessionWritesLostMessage', description: 'The disk was full: parts of the session were not saved.' });

export const mirrorErrorMessage = systemMessage('mirror_error', {
  error: z.string(),
  key: openObject({ projectKey: z.string(), sessionId: z.string(), subpath: z.optional(z.string()) }).check(
    z.describe('Where in the store the entries belong.'),
  ),
}).register(protocol, {
  id: 'SDKMirrorErrorMessage',
  description: 'The session store of a host failed to append. Made by host libraries, never sent by an agent.',
});

export const sessionTitleChangedMessage = systemMessage('session_title_changed', { title: z.string() }).register(protocol, {
  id: 'SDKSessionTitleChangedMessage',
  description: 'The session has another title. Seen, not declared.',
});

export const uiInvalidateMessage = systemMessage('ui_invalidate', { event: z.string() }).register(protocol, {
  id: 'SDKUiInvalidateMessage',
  description: 'Something a user interface shows is out of date. Seen, not declared.',
});

export const status = z
  .nullable(openEnum(['compacting', 'requesting']))
  .register(protocol, { id: 'SDKStatus', description: 'What the agent is busy with; null is nothing of note.' });

export const statusMessage = systemMessage('status', {
  status: status.check(z.describe('`requesting` is told only where the host asked for stream events.')),
  permissionMode: z.optional(permissionMode).check(z.describe('The mode from now on; absent where it stays.')),
  compact_result: z.optional(openEnum(['success', 'failed'])).check(z.describe('Present only where a compaction has ended.')),
  compact_error: z.optional(z.string()).check(z.describe('Why a compaction failed, as a code such as `too_few_groups`.')),
  // Seen, not declared.
  compact_output_chars: z.optional(z.number()),
  user_message_uuids: z.optional(z.array(z.string())).check(z.describe('The `uuid`s of the prompts that the turn answers.')),
}).register(protocol, { id: 'SDKStatusMessage', description: 'What the agent is busy with, or a change of its permission mode.' });

export const sessionStateChangedMessage = systemMessage('session_state_changed', {
  state: openEnum(['idle', 'running', 'requires_action']),
  // Seen, not declared.
  sdk_host_only: z.optional(z.boolean()).check(z.describe('True where the message is for the library of the host alone, which does not hand it on.')),
}).register(protocol, {
  id: 'SDKSessionStateChangedMessage',
  description: 'Whether the session works, waits for someone, or is idle: `idle` comes after the result.',
});

export const thinkingTokensMessage = systemMessage('thinking_tokens', {
  estimated_tokens: z.number().check(z.describe('The estimate for the thinking block so far.')),
  estimated_tokens_delta: z.number().check(z.describe('What the estimate has grown by since the message before.')),
  user_message_uuid: z.optional(z.string()).check(z.describe('The `uuid` of the prompt that the turn answers.')),
}).register(protocol, { id: 'SDKThinkingTokensMessage', description: 'How much was thought so far, while the text of it is withheld.' });

export const compactBoundaryMessage = systemMessage('compact_boundary', {
  compact_metadata: openObject({
    trigger: openEnum(['manual', 'auto']),
    pre_tokens: z.number().check(z.describe('Tokens of the history before the compaction.')),
    post_tokens: z.optional(z.number()).check(z.describe('Tokens of the history after the compaction.')),
    duration_ms: z.optional(z.number()),
    cumulative_dropped_tokens: z.optional(z.number()),
    preserved_segment: z
      .optional(openObject({ head_uuid: uuid, anchor_uuid: uuid.check(z.describe('The message that the kept ones follow from now on.')), tail_uuid: uuid }))
      .check(z.describe('The messages that were kept, by the first and the last one.')),
    preserved_messages: z
      .optional(
        openObject({
          anchor_uuid: uuid.check(z.describe('The message that the kept ones follow from now on.')),
          uuids: z.array(uuid),
          all_uuids: z.optional(z.array(uuid)),
        }),
      )
      .check(z.describe('The messages that were kept, by `uuid`.')),
  }),
  logical_parent_uuid: z.optional(uuid).check(z.describe('The message that this one follows in the conversation.')),
}).register(protocol, { id: 'SDKCompactBoundaryMessage', description: 'The history up to here was compacted.' });

export const conversationResetMessage = agentMessage('conversation_reset', {
  new_conversation_id: uuid.check(z.describe('The key of the new transcript; the `session_id` of the messages that follow is another one.')),
  trigger: z.optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
  user_message_uuid: z.optional(z.string()).check(z.describe('The prompt that asked for `/clear`; only where that is the `trigger`.')),
  timestamp,
}).register(protocol, {
  id: 'SDKConversationResetMessage',
  description: 'The conversation starts anew: later messages carry another `session_id` and totals begin at zero.',
});

export const activeGoalMessage = agentMessage('active_goal', {
  value: z.nullable(
    openObject({ condition: z.string(), iterations: z.number(), set_at: z.number(), tokens_at_start: z.number(), last_reason: z.optional(z.string()) }),
  ),
}).register(protocol, { id: 'SDKActiveGoalMessage', description: 'The goal the agent works towards; null when it was cleared.' });
