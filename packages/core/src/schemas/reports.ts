import * as z from 'zod/mini';
import { extraUsage, sessionTotals } from './usage-totals.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const contextUsageCategory = openObject({
  name: z.string(),
  tokens: z.number(),
  kind: openEnum(['used', 'free', 'buffer', 'deferred']).check(z.describe('In use, free, kept as a buffer, or `deferred`: of tools that are not loaded yet.')),
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
}).register(protocol, { id: 'SDKContextUsage', description: 'What fills the context window.' });

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
}).register(protocol, { id: 'SDKUsageReport', description: 'What the session cost, and how near the plan limits are.' });
