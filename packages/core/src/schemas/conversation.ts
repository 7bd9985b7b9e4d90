import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { timestamp } from './origin.ts';
import { uuid } from './uuid.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const conversationResetMessage = agentMessage('conversation_reset', {
  new_conversation_id: uuid.check(z.describe('The key of the new transcript; the `session_id` of the messages that follow is another one.')),
  trigger: z.optional(openEnum(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
  user_message_uuid: z.optional(z.string()).check(z.describe('The prompt that asked for `/clear`; only where that is the `trigger`.')),
  timestamp,
}).register(protocol, {
  id: 'SDKConversationResetMessage',
  description: 'The conversation starts anew: later messages carry another `session_id` and totals begin at zero.',
});

export const activeGoalMessage = agentMessage('active_goal', {
  value: z.nullable(
    openObject({ condition: z.string(), iterations: z.number(), set_at: z.number(), tokens_at_start: z.number(), last_reason: z.optional(z.string()) }),
  ),
}).register(protocol, { id: 'SDKActiveGoalMessage', description: 'The goal the agent works towards; null when it was cleared.' });
