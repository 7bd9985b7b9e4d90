import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { uuid } from './uuid.ts';
import { openEnum, protocol } from './open.ts';

export const conversationResetMessage = agentMessage('conversation_reset', {
  new_conversation_id: uuid,
  trigger: z.optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
  user_message_uuid: z.optional(z.string()),
  timestamp: z.optional(z.string()),
}).register(protocol, {
  id: 'SDKConversationResetMessage',
  description: 'The conversation starts anew: later messages carry another `session_id` and totals begin at zero.',
});

export const activeGoalMessage = agentMessage('active_goal', {
  value: z.nullable(
    z.looseObject({
      condition: z.string(),
      iterations: z.number(),
      set_at: z.number(),
      tokens_at_start: z.number(),
      last_reason: z.optional(z.string()),
    }),
  ),
}).register(protocol, {
  id: 'SDKActiveGoalMessage',
  description: 'The goal the agent works towards; null when it was cleared.',
});
