import { agentMessage } from './agent-message.ts';
import { messageParam, promptContent } from './message-param.ts';
import { messageOrigin } from './origin.ts';
import { carried, object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, openEnum, string, unknown } from './schema.ts';
import { uuid } from './uuid.ts';

/** Schema of `ToolResultMeta`. */
export const toolResultMeta = lazy(() =>
  object({
    id: string,
    non_execution_kind: optional(openEnum(['permission-rule', 'user-rejected'])),
    permission_decision: optional(
      object({
        decision: openEnum(['accept', 'reject']),
        source: openEnum(['user_temporary', 'user_permanent', 'user_reject', 'hook', 'config']),
        reason_type: optional(string),
      }),
    ),
  }),
);

/** How it came that a tool ran or did not. Seen, not declared. */
export type ToolResultMeta = Infer<typeof toolResultMeta>;

/** The members that a prompt and its echo share. */
const inPromptAndReplay = () => ({
  message: messageParam,
  parent_tool_use_id: nullable(string),
  isSynthetic: optional(boolean),
  tool_use_result: optional(unknown),
  priority: optional(openEnum(['now', 'next', 'later'])),
  origin: optional(messageOrigin),
  shouldQuery: optional(boolean),
  timestamp: optional(string),
  client_composed: optional(literal(true)),
});

/** Schema of `SDKUserMessage`. */
export const userMessage = lazy(() =>
  object({
    type: literal('user'),
    ...inPromptAndReplay(),
    // A published host leaves it out where it is null, and agents take that.
    parent_tool_use_id: carried(nullable(string)),
    uuid: optional(uuid),
    session_id: optional(string),
    pasted_content: optional(array(promptContent)),
    inline_pastes: optional(array(string)),
    agent_id: optional(string),
    subagent_type: optional(string),
    task_description: optional(string),
    // Seen, not declared.
    tool_result_meta: optional(array(toolResultMeta)),
  }),
);

/** From the host a prompt; from the agent a tool result or a text it made up. */
export type SDKUserMessage = Infer<typeof userMessage>;

/** Schema of `SDKUserMessageReplay`. */
export const userMessageReplay = lazy(() =>
  agentMessage('user', {
    ...inPromptAndReplay(),
    isReplay: literal(true),
    file_attachments: optional(array(unknown)),
    // Seen, not declared.
    tool_result_meta: optional(array(toolResultMeta)),
  }),
);

/** The echo of a prompt the agent took. */
export type SDKUserMessageReplay = Infer<typeof userMessageReplay>;
