import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { type Infer, lazy, openEnum, optional } from '../schema.ts';

/** Schema of `SDKNotificationMessage`. */
export const notificationMessage = lazy(() =>
  systemMessage('notification', {
    key: z.string(),
    text: z.string(),
    priority: openEnum(['low', 'medium', 'high', 'immediate']),
    color: optional(z.string()),
    timeout_ms: optional(z.number()),
  }),
);

/** A text for the notification area. */
export type SDKNotificationMessage = Infer<typeof notificationMessage>;

/** Schema of `SDKInformationalMessage`. */
export const informationalMessage = lazy(() =>
  systemMessage('informational', {
    content: z.string(),
    level: openEnum(['info', 'notice', 'suggestion', 'warning']),
    tool_use_id: optional(z.string()),
    prevent_continuation: optional(z.boolean()),
    tag: optional(z.string()),
  }),
);

/** A text for the transcript. */
export type SDKInformationalMessage = Infer<typeof informationalMessage>;

/** Schema of `SDKLocalCommandOutputMessage`. */
export const localCommandOutputMessage = lazy(() =>
  systemMessage('local_command_output', {
    content: z.string(),
  }),
);

/** What a local slash command printed. */
export type SDKLocalCommandOutputMessage = Infer<typeof localCommandOutputMessage>;

/** Schema of `SDKPermissionDeniedMessage`. */
export const permissionDeniedMessage = lazy(() =>
  systemMessage('permission_denied', {
    tool_name: z.string(),
    tool_use_id: z.string(),
    agent_id: optional(z.string()),
    decision_reason_type: optional(z.string()),
    decision_reason: optional(z.string()),
    message: z.string(),
  }),
);

/** A tool call was denied without asking the host. */
export type SDKPermissionDeniedMessage = Infer<typeof permissionDeniedMessage>;
