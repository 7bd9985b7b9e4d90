import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { extraUsage, sessionTotals } from '../usage-totals.ts';

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

/** How much of one limit is used, and when it starts anew. */
const limit = lazy(() => object({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) }));

/** The payload of its answer. */
export const accountUsageResponses = {
  get_usage: lazy(() =>
    object({
      session: sessionTotals(),
      subscription_type: z.nullable(z.string()),
      rate_limits_available: z.boolean(),
      rate_limits: z.nullable(
        object({
          five_hour: optional(z.nullable(limit())),
          seven_day: optional(z.nullable(limit())),
          seven_day_oauth_apps: optional(z.nullable(limit())),
          seven_day_opus: optional(z.nullable(limit())),
          seven_day_sonnet: optional(z.nullable(limit())),
          model_scoped: optional(
            z.array(
              object({
                display_name: z.string(),
                utilization: z.nullable(z.number()),
                resets_at: z.nullable(z.string()),
              }),
            ),
          ),
          extra_usage: optional(z.nullable(extraUsage())),
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
