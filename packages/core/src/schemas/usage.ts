import * as z from 'zod/mini';
import { openEnum, openObject, protocol } from './open.ts';

export const modelUsage = openObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  thinkingTokens: z.optional(z.number()),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  cacheCreationEphemeral5mInputTokens: z
    .optional(z.number())
    .check(z.describe('The tokens that were written to the prompt cache and are kept for five minutes.')),
  cacheCreationEphemeral1hInputTokens: z.optional(z.number()).check(z.describe('The tokens that were written to the prompt cache and are kept for one hour.')),
  webSearchRequests: z.number(),
  costUSD: z.number(),
  contextWindow: z.number().check(z.describe('The size of the context window of the model, in tokens.')),
  maxOutputTokens: z.number().check(z.describe('The maximum number of tokens in one reply.')),
  canonicalModel: z.optional(z.string()),
  provider: z.optional(z.string()).check(z.describe('The service that ran the model, such as `firstParty`.')),
  costBasis: z.optional(openEnum(['list', 'managed', 'unknown'])),
}).register(protocol, { id: 'ModelUsage', description: 'The usage of one model, summed up since the agent process started.' });

/** The totals of a session: cost, time and changed lines. */
export const sessionTotals = openObject({
  total_cost_usd: z.number(),
  total_api_duration_ms: z.number().check(z.describe('Milliseconds spent in calls to the model API.')),
  total_duration_ms: z.number(),
  total_lines_added: z.number(),
  total_lines_removed: z.number(),
  model_usage: z.record(z.string(), modelUsage).check(z.describe('The usage of each model, by its name.')),
});

/** The usage beyond the plan's limits: how much is allowed, and how much was used. */
export const extraUsage = openObject({
  is_enabled: z.boolean(),
  monthly_limit: z.nullable(z.number()),
  used_credits: z.nullable(z.number()),
  utilization: z.nullable(z.number()),
  currency: z.optional(z.nullable(z.string())),
});

export const contextUsageCategory = openObject({
  name: z.string(),
  tokens: z.number(),
  kind: openEnum(['used', 'free', 'buffer', 'deferred']).check(
    z.describe('Whether the tokens are `used`, `free`, kept free as a `buffer`, or `deferred` because they belong to tools that are not loaded yet.'),
  ),
}).register(protocol, { id: 'SDKContextUsageCategory', description: 'One part of the context window, and its tokens.' });

export const contextUsage = openObject({
  model: z.string(),
  total_tokens: z.number().check(z.describe('The tokens in the context window now.')),
  raw_max_tokens: z.number().check(z.describe('The tokens that the context window can hold.')),
  percentage: z.number().check(z.describe('How full the context window is, from 0 to 100.')),
  over_limit: z.optional(openObject({ tokens_over: z.number(), kind: openEnum(['hard_limit', 'compaction_window']) })),
  categories: z.array(contextUsageCategory),
  mcp_tools: z.array(openObject({ name: z.string(), server_name: z.string(), tokens: z.number() })),
  memory_files: z.array(openObject({ path: z.string(), type: z.string(), tokens: z.number() })),
  agents: z.array(openObject({ agent_type: z.string(), source: z.string(), tokens: z.number() })),
  skills: z.optional(z.array(openObject({ name: z.string(), source: z.string(), plugin_name: z.optional(z.string()), tokens: z.number() }))),
}).register(protocol, { id: 'SDKContextUsage', description: 'How the context window is used.' });

const displayed = z.optional(z.nullable(openObject({ display_name: z.string() })));
const planLimit = openObject({
  kind: z.string(),
  group: z.string(),
  percent: z.number(),
  resets_at: z.nullable(z.string()),
  scope: z.optional(z.nullable(openObject({ model: displayed, surface: displayed }))),
  severity: z.string(),
  is_active: z.boolean(),
});

export const usageReport = openObject({
  session: sessionTotals,
  rate_limits: z.nullable(openObject({ limits: z.nullable(z.array(planLimit)), extra_usage: z.optional(z.nullable(extraUsage)) })),
}).register(protocol, { id: 'SDKUsageReport', description: "The cost of the session, and how much of the plan's limits is used." });
