import * as z from 'zod/mini';

import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `SlashCommand`. */
export const slashCommand = lazy(() =>
  object({
    name: z.string(),
    description: z.string(),
    argumentHint: z.string(),
    aliases: optional(z.array(z.string())),
    builtin: optional(z.boolean()),
  }),
);

/** A slash command that can be typed in a prompt. */
export type SlashCommand = Infer<typeof slashCommand>;
