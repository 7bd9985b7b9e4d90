import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { protocol } from './open.ts';

export const authStatusMessage = agentMessage('auth_status', {
  isAuthenticating: z.boolean(),
  output: z.array(z.string()).check(z.describe('Lines of text on how the login goes.')),
  error: z.optional(z.string()),
}).register(protocol, { id: 'SDKAuthStatusMessage', description: 'How a login is going.' });
