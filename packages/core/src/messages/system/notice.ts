import { systemMessage } from '../agent-message.ts';
import { optional } from '../object-schema.ts';
import { boolean, type Infer, lazy, number, openEnum, string } from '../schema.ts';

/** Schema of `SDKNotificationMessage`. */
export const notificationMessage = lazy(() =>
  systemMessage('notification', {
    key: string,
    text: string,
    priority: openEnum(['low', 'medium', 'high', 'immediate']),
    color: optional(string),
    timeout_ms: optional(number),
  }),
);

/** A text for the notification area. */
export type SDKNotificationMessage = Infer<typeof notificationMessage>;

/** Schema of `SDKInformationalMessage`. */
export const informationalMessage = lazy(() =>
  systemMessage('informational', {
    content: string,
    level: openEnum(['info', 'notice', 'suggestion', 'warning']),
    tool_use_id: optional(string),
    prevent_continuation: optional(boolean),
    tag: optional(string),
  }),
);

/** A text for the transcript. */
export type SDKInformationalMessage = Infer<typeof informationalMessage>;

/** Schema of `SDKLocalCommandOutputMessage`. */
export const localCommandOutputMessage = lazy(() =>
  systemMessage('local_command_output', {
    content: string,
  }),
);

/** What a local slash command printed. */
export type SDKLocalCommandOutputMessage = Infer<typeof localCommandOutputMessage>;

/** Schema of `SDKPermissionDeniedMessage`. */
export const permissionDeniedMessage = lazy(() =>
  systemMessage('permission_denied', {
    tool_name: string,
    tool_use_id: string,
    agent_id: optional(string),
    decision_reason_type: optional(string),
    decision_reason: optional(string),
    message: string,
  }),
);

/** A tool call was denied without asking the host. */
export type SDKPermissionDeniedMessage = Infer<typeof permissionDeniedMessage>;
