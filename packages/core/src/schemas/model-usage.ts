import * as z from 'zod/mini';
import { openEnum, protocol } from './open.ts';

export const modelUsage = z
  .looseObject({
    inputTokens: z.number(),
    outputTokens: z.number(),
    thinkingTokens: z.optional(z.number()),
    cacheReadInputTokens: z.number(),
    cacheCreationInputTokens: z.number(),
    cacheCreationEphemeral5mInputTokens: z.optional(z.number()),
    cacheCreationEphemeral1hInputTokens: z.optional(z.number()),
    webSearchRequests: z.number(),
    costUSD: z.number(),
    contextWindow: z.number(),
    maxOutputTokens: z.number(),
    canonicalModel: z.optional(z.string()),
    provider: z.optional(z.string()),
    costBasis: z.optional(openEnum(['list', 'managed', 'unknown'])),
  })
  .register(protocol, { id: 'ModelUsage', description: 'What one model was used for, summed up over the process.' });
