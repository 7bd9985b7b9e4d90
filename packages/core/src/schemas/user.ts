import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { messageParam, promptContent } from './message-param.ts';
import { messageOrigin } from './origin.ts';
import { uuid } from './uuid.ts';
import { carried, openEnum, protocol } from './open.ts';

export const toolResultMeta = z
  .looseObject({
    id: z.string(),
    non_execution_kind: z.optional(openEnum(['permission-rule', 'user-rejected'])),
    permission_decision: z.optional(
      z.looseObject({
        decision: openEnum(['accept', 'reject']),
        source: openEnum(['user_temporary', 'user_permanent', 'user_reject', 'hook', 'config']),
        reason_type: z.optional(z.string()),
      }),
    ),
  })
  .register(protocol, {
    id: 'ToolResultMeta',
    description: 'How it came that a tool ran or did not. Seen, not declared.',
  });

/** The members that a prompt and its echo share. */
const inPromptAndReplay = () => ({
  message: messageParam,
  parent_tool_use_id: z.nullable(z.string()),
  isSynthetic: z.optional(z.boolean()),
  tool_use_result: z.optional(z.unknown()),
  priority: z.optional(openEnum(['now', 'next', 'later'])),
  origin: z.optional(messageOrigin),
  shouldQuery: z.optional(z.boolean()),
  timestamp: z.optional(z.string()),
  client_composed: z.optional(z.literal(true)),
});

export const userMessage = z
  .looseObject({
    type: z.literal('user'),
    ...inPromptAndReplay(),
    // A published host leaves it out where it is null, and agents take that.
    parent_tool_use_id: carried(z.nullable(z.string())),
    uuid: z.optional(uuid),
    session_id: z.optional(z.string()),
    pasted_content: z.optional(z.array(promptContent)),
    inline_pastes: z.optional(z.array(z.string())),
    agent_id: z.optional(z.string()),
    subagent_type: z.optional(z.string()),
    task_description: z.optional(z.string()),
    // Seen, not declared.
    tool_result_meta: z.optional(z.array(toolResultMeta)),
  })
  .register(protocol, {
    id: 'SDKUserMessage',
    description: 'From the host a prompt; from the agent a tool result or a text it made up.',
  });

export const userMessageReplay = agentMessage('user', {
  ...inPromptAndReplay(),
  isReplay: z.literal(true),
  file_attachments: z.optional(z.array(z.unknown())),
  // Seen, not declared.
  tool_result_meta: z.optional(z.array(toolResultMeta)),
}).register(protocol, { id: 'SDKUserMessageReplay', description: 'The echo of a prompt the agent took.' });
