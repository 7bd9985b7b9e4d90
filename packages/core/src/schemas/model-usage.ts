import * as z from 'zod/mini';
import { openEnum, openObject, protocol } from './open.ts';

export const modelUsage = openObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  thinkingTokens: z.optional(z.number()),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  cacheCreationEphemeral5mInputTokens: z.optional(z.number()).check(z.describe('Of the tokens written to the prompt cache, those it keeps for five minutes.')),
  cacheCreationEphemeral1hInputTokens: z.optional(z.number()).check(z.describe('Of the tokens written to the prompt cache, those it keeps for one hour.')),
  webSearchRequests: z.number(),
  costUSD: z.number(),
  contextWindow: z.number().check(z.describe('How many tokens the model can take in at once.')),
  maxOutputTokens: z.number().check(z.describe('How many tokens one reply may have at most.')),
  canonicalModel: z.optional(z.string()),
  provider: z.optional(z.string()).check(z.describe('Through which service the model was reached, such as `firstParty`.')),
  costBasis: z.optional(openEnum(['list', 'managed', 'unknown'])),
}).register(protocol, { id: 'ModelUsage', description: 'What one model was used for, summed up over the process.' });
