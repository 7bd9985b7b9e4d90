import * as z from 'zod/mini';
import { protocol } from './open.ts';

export const slashCommand = z
  .looseObject({
    name: z.string(),
    description: z.string(),
    argumentHint: z.string(),
    aliases: z.optional(z.array(z.string())),
    builtin: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'SlashCommand', description: 'A slash command that can be typed in a prompt.' });
