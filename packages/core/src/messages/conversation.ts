import { agentMessage } from './agent-message.ts';
import { object, optional } from './object-schema.ts';
import { type Infer, lazy, nullable, number, openEnum, string } from './schema.ts';
import { uuid } from './uuid.ts';

/** Schema of `SDKConversationResetMessage`. */
export const conversationResetMessage = lazy(() =>
  agentMessage('conversation_reset', {
    new_conversation_id: uuid,
    trigger: optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
    user_message_uuid: optional(string),
    timestamp: optional(string),
  }),
);

/** The conversation starts anew: later messages carry another `session_id` and totals begin at zero. */
export type SDKConversationResetMessage = Infer<typeof conversationResetMessage>;

/** Schema of `SDKActiveGoalMessage`. */
export const activeGoalMessage = lazy(() =>
  agentMessage('active_goal', {
    value: nullable(
      object({
        condition: string,
        iterations: number,
        set_at: number,
        tokens_at_start: number,
        last_reason: optional(string),
      }),
    ),
  }),
);

/** The goal the agent works towards; null when it was cleared. */
export type SDKActiveGoalMessage = Infer<typeof activeGoalMessage>;
