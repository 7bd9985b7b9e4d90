import { agentMessage } from './agent-message.ts';
import { optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, string } from './schema.ts';

/** Schema of `SDKAuthStatusMessage`. */
export const authStatusMessage = lazy(() =>
  agentMessage('auth_status', {
    isAuthenticating: boolean,
    output: array(string),
    error: optional(string),
  }),
);

/** How a login is going. */
export type SDKAuthStatusMessage = Infer<typeof authStatusMessage>;
