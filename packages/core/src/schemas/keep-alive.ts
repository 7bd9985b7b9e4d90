import * as z from 'zod/mini';
import { protocol } from './open.ts';

export const keepAliveMessage = z
  .looseObject({
    type: z.literal('keep_alive'),
    // Seen, not declared.
    startup_mark: z.optional(z.string()),
  })
  .register(protocol, { id: 'SDKKeepAliveMessage', description: 'A sign of life; carries nothing to act on.' });
