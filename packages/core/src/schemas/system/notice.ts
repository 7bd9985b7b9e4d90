import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const notificationMessage = systemMessage('notification', {
  key: z.string().check(z.describe('The key of the notification. Notifications with the same key have the same meaning, so display only one of them.')),
  text: z.string(),
  priority: openEnum(['low', 'medium', 'high', 'immediate']),
  color: z.optional(z.string()),
  timeout_ms: z.optional(z.number()),
}).register(protocol, { id: 'SDKNotificationMessage', description: 'A text to show in the notification area of the user interface.' });

export const informationalMessage = systemMessage('informational', {
  content: z.string().check(z.describe('Plain text to display.')),
  level: openEnum(['info', 'notice', 'suggestion', 'warning']),
  tool_use_id: z
    .optional(z.string())
    .check(z.describe('The id of the tool call that the text describes. A new text about the progress of a call replaces the previous text.')),
  prevent_continuation: z.optional(z.boolean()).check(z.describe('True if the turn does not continue.')),
  tag: z
    .optional(z.string())
    .check(z.describe('The subject of the text, as a code for programs, such as `hook_callback_failed` if a hook of the host failed.')),
  // Seen on the wire, not declared by the published SDK.
  prompt_submit_outcome: z
    .optional(openObject({ kind: z.string(), prompt_kept: z.boolean(), reason: z.optional(z.string()) }))
    .check(z.describe('What happened to a prompt that a hook blocked.')),
}).register(protocol, { id: 'SDKInformationalMessage', description: 'A text to show in the transcript.' });

export const localCommandOutputMessage = systemMessage('local_command_output', { content: z.string() }).register(protocol, {
  id: 'SDKLocalCommandOutputMessage',
  description: 'The output of a local slash command.',
});

export const permissionDeniedMessage = systemMessage('permission_denied', {
  tool_name: z.string(),
  tool_use_id: z.string(),
  agent_id: z.optional(z.string()).check(z.describe('The id of the subagent that made the call. Absent in the main conversation.')),
  decision_reason_type: z.optional(z.string()).check(z.describe('The basis of the decision. New values may be added.')),
  decision_reason: z.optional(z.string()).check(z.describe('The reason for the decision, as text for people.')),
  message: z.string().check(z.describe('The text that the model reads as the result of the call.')),
}).register(protocol, { id: 'SDKPermissionDeniedMessage', description: 'A tool call was denied without asking the host.' });

export const filesPersistedEvent = systemMessage('files_persisted', {
  files: z.array(openObject({ filename: z.string(), file_id: z.string() })),
  failed: z.array(openObject({ filename: z.string(), error: z.string() })),
  processed_at: z.string(),
}).register(protocol, { id: 'SDKFilesPersistedEvent', description: 'Files were uploaded.' });

export const memoryRecallMessage = systemMessage('memory_recall', {
  mode: openEnum(['select', 'synthesize']),
  memories: z.array(openObject({ path: z.string(), scope: openEnum(['personal', 'team', 'organization']), content: z.optional(z.string()) })),
}).register(protocol, { id: 'SDKMemoryRecallMessage', description: "Memories were added to the model's context." });
