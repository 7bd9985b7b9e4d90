import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, number, openEnum, string } from '../schema.ts';
import { extraUsage, sessionTotals } from '../usage-totals.ts';

/** The request about the use of the account. */
export const accountUsageRequests = {
  get_usage: lazy(() => object({ subtype: literal('get_usage'), skip_behaviors: optional(boolean) })),
};

/** Asks what the account has used of its limits. */
export type SDKControlGetUsageRequest = Infer<typeof accountUsageRequests.get_usage>;

const share = lazy(() => object({ name: string, pct: number }));

/** What used the limits over some time. */
const behaviour = lazy(() =>
  object({
    request_count: number,
    session_count: number,
    behaviors: array(
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
        pct: number,
        count: number,
      }),
    ),
    recommendations: optional(array(object({ key: string, pct: number, title: string, detail: optional(string) }))),
    fix: optional(object({ keys: array(string), messages: array(string) })),
    agents: array(share),
    skills: array(share),
    plugins: array(share),
    mcp_servers: array(share),
  }),
);

/** How much of one limit is used, and when it starts anew. */
const limit = lazy(() => object({ utilization: nullable(number), resets_at: nullable(string) }));

/** The payload of its answer. */
export const accountUsageResponses = {
  get_usage: lazy(() =>
    object({
      session: sessionTotals,
      subscription_type: nullable(string),
      rate_limits_available: boolean,
      rate_limits: nullable(
        object({
          five_hour: optional(nullable(limit)),
          seven_day: optional(nullable(limit)),
          seven_day_oauth_apps: optional(nullable(limit)),
          seven_day_opus: optional(nullable(limit)),
          seven_day_sonnet: optional(nullable(limit)),
          model_scoped: optional(
            array(
              object({
                display_name: string,
                utilization: nullable(number),
                resets_at: nullable(string),
              }),
            ),
          ),
          extra_usage: optional(nullable(extraUsage)),
        }),
      ),
      behaviors: nullable(
        object({
          day: behaviour,
          week: behaviour,
        }),
      ),
    }),
  ),
};

/** What the account has used of its limits. */
export type SDKControlGetUsageResponse = Infer<typeof accountUsageResponses.get_usage>;
