import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { permissionMode } from '../permission-mode.ts';
import { uuid } from '../uuid.ts';
import { openEnum, openObject, protocol } from '../open.ts';

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
