import * as z from 'zod/mini';
import { modelUsage } from '../model-usage.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** The request about the use of the account. */
export const accountUsageRequests = {
  get_usage: lazy(() => object({ subtype: z.literal('get_usage'), skip_behaviors: optional(z.boolean()) })),
};

/** Asks what the account has used of its limits. */
export type SDKControlGetUsageRequest = Infer<typeof accountUsageRequests.get_usage>;

const share = lazy(() => object({ name: z.string(), pct: z.number() }));

/** What used the limits over some time. */
const behaviour = lazy(() =>
  object({
    request_count: z.number(),
    session_count: z.number(),
    behaviors: z.array(
      object({
        key: openEnum([
          'cache_miss',
          'long_context',
          'subagent_heavy',
          'high_parallel',
          'cron',
          'max_effort',
          'workflow',
          'always_on_context',
          'large_tool_results',
        ]),
        pct: z.number(),
        count: z.number(),
      }),
    ),
    recommendations: optional(
      z.array(object({ key: z.string(), pct: z.number(), title: z.string(), detail: optional(z.string()) })),
    ),
    fix: optional(object({ keys: z.array(z.string()), messages: z.array(z.string()) })),
    agents: z.array(share()),
    skills: z.array(share()),
    plugins: z.array(share()),
    mcp_servers: z.array(share()),
  }),
);

/** The payload of its answer. */
export const accountUsageResponses = {
  get_usage: lazy(() =>
    object({
      session: object({
        total_cost_usd: z.number(),
        total_api_duration_ms: z.number(),
        total_duration_ms: z.number(),
        total_lines_added: z.number(),
        total_lines_removed: z.number(),
        model_usage: z.record(z.string(), modelUsage()),
      }),
      subscription_type: z.nullable(z.string()),
      rate_limits_available: z.boolean(),
      rate_limits: z.nullable(
        object({
          five_hour: optional(
            z.nullable(object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })),
          ),
          seven_day: optional(
            z.nullable(object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })),
          ),
          seven_day_oauth_apps: optional(
            z.nullable(object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })),
          ),
          seven_day_opus: optional(
            z.nullable(object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })),
          ),
          seven_day_sonnet: optional(
            z.nullable(object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })),
          ),
          model_scoped: optional(
            z.array(
              object({
                display_name: z.string(),
                utilization: z.nullable(z.number()),
                resets_at: z.nullable(z.string()),
              }),
            ),
          ),
          extra_usage: optional(
            z.nullable(
              object({
                is_enabled: z.boolean(),
                monthly_limit: z.nullable(z.number()),
                used_credits: z.nullable(z.number()),
                utilization: z.nullable(z.number()),
                currency: optional(z.nullable(z.string())),
              }),
            ),
          ),
        }),
      ),
      behaviors: z.nullable(
        object({
          day: behaviour(),
          week: behaviour(),
        }),
      ),
    }),
  ),
};

/** What the account has used of its limits. */
export type SDKControlGetUsageResponse = Infer<typeof accountUsageResponses.get_usage>;
