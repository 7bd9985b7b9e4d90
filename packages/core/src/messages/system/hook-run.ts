import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { type Infer, lazy, openEnum, optional } from '../schema.ts';

/** Schema of `SDKHookStartedMessage`. */
export const hookStartedMessage = lazy(() =>
  systemMessage('hook_started', {
    hook_id: z.string(),
    hook_name: z.string(),
    hook_event: z.string(),
  }),
);

/** A hook began to run. */
export type SDKHookStartedMessage = Infer<typeof hookStartedMessage>;

/** Schema of `SDKHookProgressMessage`. */
export const hookProgressMessage = lazy(() =>
  systemMessage('hook_progress', {
    hook_id: z.string(),
    hook_name: z.string(),
    hook_event: z.string(),
    stdout: z.string(),
    stderr: z.string(),
    output: z.string(),
  }),
);

/** What a hook wrote so far. */
export type SDKHookProgressMessage = Infer<typeof hookProgressMessage>;

/** Schema of `SDKHookResponseMessage`. */
export const hookResponseMessage = lazy(() =>
  systemMessage('hook_response', {
    hook_id: z.string(),
    hook_name: z.string(),
    hook_event: z.string(),
    output: z.string(),
    stdout: z.string(),
    stderr: z.string(),
    exit_code: optional(z.number()),
    outcome: openEnum(['success', 'error', 'cancelled']),
  }),
);

/** A hook is done. */
export type SDKHookResponseMessage = Infer<typeof hookResponseMessage>;
