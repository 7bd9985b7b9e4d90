import { object, optional } from './object-schema.ts';
import { type Infer, lazy, number, openEnum, string } from './schema.ts';

/** Schema of `ModelUsage`. */
export const modelUsage = lazy(() =>
  object({
    inputTokens: number,
    outputTokens: number,
    thinkingTokens: optional(number),
    cacheReadInputTokens: number,
    cacheCreationInputTokens: number,
    cacheCreationEphemeral5mInputTokens: optional(number),
    cacheCreationEphemeral1hInputTokens: optional(number),
    webSearchRequests: number,
    costUSD: number,
    contextWindow: number,
    maxOutputTokens: number,
    canonicalModel: optional(string),
    provider: optional(string),
    costBasis: optional(openEnum(['list', 'managed', 'unknown'])),
  }),
);

/** What one model was used for, summed up over the process. */
export type ModelUsage = Infer<typeof modelUsage>;
