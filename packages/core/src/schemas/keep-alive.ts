import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const keepAliveMessage = openObject({
  type: z.literal('keep_alive'),
  // Seen, not declared.
  startup_mark: z.optional(z.string()),
}).register(protocol, { id: 'SDKKeepAliveMessage', description: 'A sign of life; carries nothing to act on.' });
