import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { messageParam, promptContent } from './message-param.ts';
import { messageOrigin } from './origin.ts';
import { type Infer, lazy, object, openEnum, optional } from './schema.ts';
import { uuid } from './uuid.ts';

/** Schema of `ToolResultMeta`. */
export const toolResultMeta = lazy(() =>
  object({
    id: z.string(),
    non_execution_kind: optional(openEnum(['permission-rule', 'user-rejected'])),
    permission_decision: optional(
      object({
        decision: openEnum(['accept', 'reject']),
        source: openEnum(['user_temporary', 'user_permanent', 'user_reject', 'hook', 'config']),
        reason_type: optional(z.string()),
      }),
    ),
  }),
);

/** How it came that a tool ran or did not. Seen, not declared. */
export type ToolResultMeta = Infer<typeof toolResultMeta>;

/** The members that a prompt and its echo share. */
const inPromptAndReplay = () => ({
  message: messageParam(),
  parent_tool_use_id: z.nullable(z.string()),
  isSynthetic: optional(z.boolean()),
  tool_use_result: optional(z.unknown()),
  priority: optional(openEnum(['now', 'next', 'later'])),
  origin: optional(messageOrigin()),
  shouldQuery: optional(z.boolean()),
  timestamp: optional(z.string()),
  client_composed: optional(z.literal(true)),
});

/** Schema of `SDKUserMessage`. */
export const userMessage = lazy(() =>
  object({
    type: z.literal('user'),
    ...inPromptAndReplay(),
    uuid: optional(uuid()),
    session_id: optional(z.string()),
    pasted_content: optional(z.array(promptContent())),
    inline_pastes: optional(z.array(z.string())),
    agent_id: optional(z.string()),
    subagent_type: optional(z.string()),
    task_description: optional(z.string()),
    // Seen, not declared.
    tool_result_meta: optional(z.array(toolResultMeta())),
  }),
);

/** From the host a prompt; from the agent a tool result or a text it made up. */
export type SDKUserMessage = Infer<typeof userMessage>;

/** Schema of `SDKUserMessageReplay`. */
export const userMessageReplay = lazy(() =>
  agentMessage('user', {
    ...inPromptAndReplay(),
    isReplay: z.literal(true),
    file_attachments: optional(z.array(z.unknown())),
    // Seen, not declared.
    tool_result_meta: optional(z.array(toolResultMeta())),
  }),
);

/** The echo of a prompt the agent took. */
export type SDKUserMessageReplay = Infer<typeof userMessageReplay>;
