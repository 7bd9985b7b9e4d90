import * as z from 'zod/mini';
import { openObject } from './open.ts';
import { modelUsage } from './model-usage.ts';

/** What a session cost, took and changed, in all. */
export const sessionTotals = openObject({
  total_cost_usd: z.number(),
  total_api_duration_ms: z.number().check(z.describe('Milliseconds spent in calls of the model API.')),
  total_duration_ms: z.number(),
  total_lines_added: z.number(),
  total_lines_removed: z.number(),
  model_usage: z.record(z.string(), modelUsage).check(z.describe('The figures of each model, by its name.')),
});

/** What may be used beyond the limits of the plan, and what was. */
export const extraUsage = openObject({
  is_enabled: z.boolean(),
  monthly_limit: z.nullable(z.number()),
  used_credits: z.nullable(z.number()),
  utilization: z.nullable(z.number()),
  currency: z.optional(z.nullable(z.string())),
});
