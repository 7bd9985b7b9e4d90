import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, protocol } from '../open.ts';

export const notificationMessage = systemMessage('notification', {
  key: z.string(),
  text: z.string(),
  priority: openEnum(['low', 'medium', 'high', 'immediate']),
  color: z.optional(z.string()),
  timeout_ms: z.optional(z.number()),
}).register(protocol, { id: 'SDKNotificationMessage', description: 'A text for the notification area.' });

export const informationalMessage = systemMessage('informational', {
  content: z.string(),
  level: openEnum(['info', 'notice', 'suggestion', 'warning']),
  tool_use_id: z.optional(z.string()),
  prevent_continuation: z.optional(z.boolean()),
  tag: z.optional(z.string()),
}).register(protocol, { id: 'SDKInformationalMessage', description: 'A text for the transcript.' });

export const localCommandOutputMessage = systemMessage('local_command_output', {
  content: z.string(),
}).register(protocol, { id: 'SDKLocalCommandOutputMessage', description: 'What a local slash command printed.' });

export const permissionDeniedMessage = systemMessage('permission_denied', {
  tool_name: z.string(),
  tool_use_id: z.string(),
  agent_id: z.optional(z.string()),
  decision_reason_type: z.optional(z.string()),
  decision_reason: z.optional(z.string()),
  message: z.string(),
}).register(protocol, {
  id: 'SDKPermissionDeniedMessage',
  description: 'A tool call was denied without asking the host.',
});
