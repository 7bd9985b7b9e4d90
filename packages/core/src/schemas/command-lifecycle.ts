import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { openEnum, protocol } from './open.ts';

export const commandLifecycleMessage = agentMessage('command_lifecycle', {
  command_uuid: z.string(),
  state: openEnum(['queued', 'started', 'completed', 'cancelled', 'discarded', 'refused']),
}).register(protocol, {
  id: 'SDKCommandLifecycleMessage',
  description: 'What became of a prompt that carried a `uuid`. Seen, not declared.',
});
