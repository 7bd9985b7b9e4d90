import { systemMessage } from '../agent-message.ts';
import { permissionMode } from '../permission-mode.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, nullable, number, openEnum, string } from '../schema.ts';
import { uuid } from '../uuid.ts';

/** Schema of `SDKStatus`. */
export const status = lazy(() => nullable(openEnum(['compacting', 'requesting'])));

/** What the agent is busy with; null is nothing of note. */
export type SDKStatus = Infer<typeof status>;

/** Schema of `SDKStatusMessage`. */
export const statusMessage = lazy(() =>
  systemMessage('status', {
    status: nullable(openEnum(['compacting', 'requesting'])),
    permissionMode: optional(permissionMode),
    compact_result: optional(openEnum(['success', 'failed'])),
    compact_error: optional(string),
    // Seen, not declared.
    compact_output_chars: optional(number),
    user_message_uuids: optional(array(string)),
  }),
);

/** What the agent is busy with, or a change of its permission mode. */
export type SDKStatusMessage = Infer<typeof statusMessage>;

/** Schema of `SDKSessionStateChangedMessage`. */
export const sessionStateChangedMessage = lazy(() =>
  systemMessage('session_state_changed', {
    state: openEnum(['idle', 'running', 'requires_action']),
    // Seen, not declared.
    sdk_host_only: optional(boolean),
  }),
);

/** Whether the session works, waits for someone, or is idle: `idle` comes after the result. */
export type SDKSessionStateChangedMessage = Infer<typeof sessionStateChangedMessage>;

/** Schema of `SDKThinkingTokensMessage`. */
export const thinkingTokensMessage = lazy(() =>
  systemMessage('thinking_tokens', {
    estimated_tokens: number,
    estimated_tokens_delta: number,
    user_message_uuid: optional(string),
  }),
);

/** How much was thought so far, while the text of it is withheld. */
export type SDKThinkingTokensMessage = Infer<typeof thinkingTokensMessage>;

/** Schema of `SDKCompactBoundaryMessage`. */
export const compactBoundaryMessage = lazy(() =>
  systemMessage('compact_boundary', {
    compact_metadata: object({
      trigger: openEnum(['manual', 'auto']),
      pre_tokens: number,
      post_tokens: optional(number),
      duration_ms: optional(number),
      preserved_segment: optional(object({ head_uuid: uuid, anchor_uuid: uuid, tail_uuid: uuid })),
      preserved_messages: optional(object({ anchor_uuid: uuid, uuids: array(uuid) })),
    }),
  }),
);

/** The history up to here was compacted. */
export type SDKCompactBoundaryMessage = Infer<typeof compactBoundaryMessage>;
