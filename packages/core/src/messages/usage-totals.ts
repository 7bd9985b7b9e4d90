import { modelUsage } from './model-usage.ts';
import { object, optional } from './object-schema.ts';
import { boolean, lazy, nullable, number, record, string } from './schema.ts';

/** What a session cost, took and changed, in all. */
export const sessionTotals = lazy(() =>
  object({
    total_cost_usd: number,
    total_api_duration_ms: number,
    total_duration_ms: number,
    total_lines_added: number,
    total_lines_removed: number,
    model_usage: record(modelUsage),
  }),
);

/** What may be used beyond the limits of the plan, and what was. */
export const extraUsage = lazy(() =>
  object({
    is_enabled: boolean,
    monthly_limit: nullable(number),
    used_credits: nullable(number),
    utilization: nullable(number),
    currency: optional(nullable(string)),
  }),
);
