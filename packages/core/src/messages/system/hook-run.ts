import { systemMessage } from '../agent-message.ts';
import { optional } from '../object-schema.ts';
import { type Infer, lazy, number, openEnum, string } from '../schema.ts';

/** Schema of `SDKHookStartedMessage`. */
export const hookStartedMessage = lazy(() =>
  systemMessage('hook_started', {
    hook_id: string,
    hook_name: string,
    hook_event: string,
  }),
);

/** A hook began to run. */
export type SDKHookStartedMessage = Infer<typeof hookStartedMessage>;

/** Schema of `SDKHookProgressMessage`. */
export const hookProgressMessage = lazy(() =>
  systemMessage('hook_progress', {
    hook_id: string,
    hook_name: string,
    hook_event: string,
    stdout: string,
    stderr: string,
    output: string,
  }),
);

/** What a hook wrote so far. */
export type SDKHookProgressMessage = Infer<typeof hookProgressMessage>;

/** Schema of `SDKHookResponseMessage`. */
export const hookResponseMessage = lazy(() =>
  systemMessage('hook_response', {
    hook_id: string,
    hook_name: string,
    hook_event: string,
    output: string,
    stdout: string,
    stderr: string,
    exit_code: optional(number),
    outcome: openEnum(['success', 'error', 'cancelled']),
  }),
);

/** A hook is done. */
export type SDKHookResponseMessage = Infer<typeof hookResponseMessage>;
