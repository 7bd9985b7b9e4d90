import { object, optional } from './object-schema.ts';
import { type Infer, lazy, literal, string } from './schema.ts';

/** Schema of `SDKKeepAliveMessage`. */
export const keepAliveMessage = lazy(() =>
  object({
    type: literal('keep_alive'),
    // Seen, not declared.
    startup_mark: optional(string),
  }),
);

/** A sign of life; carries nothing to act on. */
export type SDKKeepAliveMessage = Infer<typeof keepAliveMessage>;
