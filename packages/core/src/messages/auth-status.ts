import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { type Infer, lazy, optional } from './schema.ts';

/** Schema of `SDKAuthStatusMessage`. */
export const authStatusMessage = lazy(() =>
  agentMessage('auth_status', {
    isAuthenticating: z.boolean(),
    output: z.array(z.string()),
    error: optional(z.string()),
  }),
);

/** How a login is going. */
export type SDKAuthStatusMessage = Infer<typeof authStatusMessage>;
