import * as z from 'zod/mini';

import { type Infer, lazy, object, openEnum, optional } from './schema.ts';

/** Schema of `ModelUsage`. */
export const modelUsage = lazy(() =>
  object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    thinkingTokens: optional(z.number()),
    cacheReadInputTokens: z.number(),
    cacheCreationInputTokens: z.number(),
    cacheCreationEphemeral5mInputTokens: optional(z.number()),
    cacheCreationEphemeral1hInputTokens: optional(z.number()),
    webSearchRequests: z.number(),
    costUSD: z.number(),
    contextWindow: z.number(),
    maxOutputTokens: z.number(),
    canonicalModel: optional(z.string()),
    provider: optional(z.string()),
    costBasis: optional(openEnum(['list', 'managed', 'unknown'])),
  }),
);

/** What one model was used for, summed up over the process. */
export type ModelUsage = Infer<typeof modelUsage>;
