import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { openEnum, protocol } from './open.ts';

export const commandLifecycleMessage = agentMessage('command_lifecycle', {
  command_uuid: z.string().check(z.describe('The `uuid` that the host gave to the prompt.')),
  state: openEnum(['queued', 'started', 'completed', 'cancelled', 'discarded', 'refused']).check(
    z.describe('First `queued`, then `started`; every other state is final, and `completed` comes after the result of the turn.'),
  ),
}).register(protocol, { id: 'SDKCommandLifecycleMessage', description: 'What became of a prompt that carried a `uuid`. Seen, not declared.' });
