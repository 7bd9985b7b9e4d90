import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const slashCommand = openObject({
  name: z.string().check(z.describe('The name without the slash that it is typed with.')),
  description: z.string(),
  argumentHint: z.string().check(z.describe('What may follow the name, as a hint to show; may be empty.')),
  aliases: z.optional(z.array(z.string())).check(z.describe('Further names of the same command.')),
  builtin: z.optional(z.boolean()).check(z.describe('True for a command that comes with the agent.')),
}).register(protocol, { id: 'SlashCommand', description: 'A slash command that can be typed in a prompt.' });
