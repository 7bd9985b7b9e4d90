import * as z from 'zod/mini';

import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `SDKKeepAliveMessage`. */
export const keepAliveMessage = lazy(() =>
  object({
    type: z.literal('keep_alive'),
    // Seen, not declared.
    startup_mark: optional(z.string()),
  }),
);

/** A sign of life; carries nothing to act on. */
export type SDKKeepAliveMessage = Infer<typeof keepAliveMessage>;
