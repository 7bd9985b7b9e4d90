import { agentMessage } from './agent-message.ts';
import { type Infer, lazy, openEnum, string } from './schema.ts';

/** Schema of `SDKCommandLifecycleMessage`. */
export const commandLifecycleMessage = lazy(() =>
  agentMessage('command_lifecycle', {
    command_uuid: string,
    state: openEnum(['queued', 'started', 'completed', 'cancelled', 'discarded', 'refused']),
  }),
);

/** What became of a prompt that carried a `uuid`. Seen, not declared. */
export type SDKCommandLifecycleMessage = Infer<typeof commandLifecycleMessage>;
