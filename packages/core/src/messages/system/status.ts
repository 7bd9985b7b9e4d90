import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { permissionMode } from '../permission-mode.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { uuid } from '../uuid.ts';

/** Schema of `SDKStatus`. */
export const status = lazy(() => z.nullable(openEnum(['compacting', 'requesting'])));

/** What the agent is busy with; null is nothing of note. */
export type SDKStatus = Infer<typeof status>;

/** Schema of `SDKStatusMessage`. */
export const statusMessage = lazy(() =>
  systemMessage('status', {
    status: z.nullable(openEnum(['compacting', 'requesting'])),
    permissionMode: optional(permissionMode()),
    compact_result: optional(openEnum(['success', 'failed'])),
    compact_error: optional(z.string()),
    // Seen, not declared.
    compact_output_chars: optional(z.number()),
    user_message_uuids: optional(z.array(z.string())),
  }),
);

/** What the agent is busy with, or a change of its permission mode. */
export type SDKStatusMessage = Infer<typeof statusMessage>;

/** Schema of `SDKSessionStateChangedMessage`. */
export const sessionStateChangedMessage = lazy(() =>
  systemMessage('session_state_changed', {
    state: openEnum(['idle', 'running', 'requires_action']),
    // Seen, not declared.
    sdk_host_only: optional(z.boolean()),
  }),
);

/** Whether the session works, waits for someone, or is idle: `idle` comes after the result. */
export type SDKSessionStateChangedMessage = Infer<typeof sessionStateChangedMessage>;

/** Schema of `SDKThinkingTokensMessage`. */
export const thinkingTokensMessage = lazy(() =>
  systemMessage('thinking_tokens', {
    estimated_tokens: z.number(),
    estimated_tokens_delta: z.number(),
    user_message_uuid: optional(z.string()),
  }),
);

/** How much was thought so far, while the text of it is withheld. */
export type SDKThinkingTokensMessage = Infer<typeof thinkingTokensMessage>;

/** Schema of `SDKCompactBoundaryMessage`. */
export const compactBoundaryMessage = lazy(() =>
  systemMessage('compact_boundary', {
    compact_metadata: object({
      trigger: openEnum(['manual', 'auto']),
      pre_tokens: z.number(),
      post_tokens: optional(z.number()),
      duration_ms: optional(z.number()),
      preserved_segment: optional(object({ head_uuid: uuid(), anchor_uuid: uuid(), tail_uuid: uuid() })),
      preserved_messages: optional(object({ anchor_uuid: uuid(), uuids: z.array(uuid()) })),
    }),
  }),
);

/** The history up to here was compacted. */
export type SDKCompactBoundaryMessage = Infer<typeof compactBoundaryMessage>;
