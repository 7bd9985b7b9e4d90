import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { permissionMode } from '../permission-mode.ts';
import { uuid } from '../uuid.ts';
import { openEnum, protocol } from '../open.ts';

export const status = z
  .nullable(openEnum(['compacting', 'requesting']))
  .register(protocol, { id: 'SDKStatus', description: 'What the agent is busy with; null is nothing of note.' });

export const statusMessage = systemMessage('status', {
  status,
  permissionMode: z.optional(permissionMode),
  compact_result: z.optional(openEnum(['success', 'failed'])),
  compact_error: z.optional(z.string()),
  // Seen, not declared.
  compact_output_chars: z.optional(z.number()),
  user_message_uuids: z.optional(z.array(z.string())),
}).register(protocol, {
  id: 'SDKStatusMessage',
  description: 'What the agent is busy with, or a change of its permission mode.',
});

export const sessionStateChangedMessage = systemMessage('session_state_changed', {
  state: openEnum(['idle', 'running', 'requires_action']),
  // Seen, not declared.
  sdk_host_only: z.optional(z.boolean()),
}).register(protocol, {
  id: 'SDKSessionStateChangedMessage',
  description: 'Whether the session works, waits for someone, or is idle: `idle` comes after the result.',
});

export const thinkingTokensMessage = systemMessage('thinking_tokens', {
  estimated_tokens: z.number(),
  estimated_tokens_delta: z.number(),
  user_message_uuid: z.optional(z.string()),
}).register(protocol, {
  id: 'SDKThinkingTokensMessage',
  description: 'How much was thought so far, while the text of it is withheld.',
});

export const compactBoundaryMessage = systemMessage('compact_boundary', {
  compact_metadata: z.looseObject({
    trigger: openEnum(['manual', 'auto']),
    pre_tokens: z.number(),
    post_tokens: z.optional(z.number()),
    duration_ms: z.optional(z.number()),
    preserved_segment: z.optional(z.looseObject({ head_uuid: uuid, anchor_uuid: uuid, tail_uuid: uuid })),
    preserved_messages: z.optional(z.looseObject({ anchor_uuid: uuid, uuids: z.array(uuid) })),
  }),
}).register(protocol, { id: 'SDKCompactBoundaryMessage', description: 'The history up to here was compacted.' });
