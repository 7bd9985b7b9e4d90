import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, string } from './schema.ts';

/** Schema of `SlashCommand`. */
export const slashCommand = lazy(() =>
  object({
    name: string,
    description: string,
    argumentHint: string,
    aliases: optional(array(string)),
    builtin: optional(boolean),
  }),
);

/** A slash command that can be typed in a prompt. */
export type SlashCommand = Infer<typeof slashCommand>;
