import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { type Infer, lazy, object, openEnum, optional } from './schema.ts';
import { uuid } from './uuid.ts';

/** Schema of `SDKConversationResetMessage`. */
export const conversationResetMessage = lazy(() =>
  agentMessage('conversation_reset', {
    new_conversation_id: uuid(),
    trigger: optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
    user_message_uuid: optional(z.string()),
    timestamp: optional(z.string()),
  }),
);

/** The conversation starts anew: later messages carry another `session_id` and totals begin at zero. */
export type SDKConversationResetMessage = Infer<typeof conversationResetMessage>;

/** Schema of `SDKActiveGoalMessage`. */
export const activeGoalMessage = lazy(() =>
  agentMessage('active_goal', {
    value: z.nullable(
      object({
        condition: z.string(),
        iterations: z.number(),
        set_at: z.number(),
        tokens_at_start: z.number(),
        last_reason: optional(z.string()),
      }),
    ),
  }),
);

/** The goal the agent works towards; null when it was cleared. */
export type SDKActiveGoalMessage = Infer<typeof activeGoalMessage>;
