import * as z from 'zod/mini';
import { extraUsage, sessionTotals } from '../usage-totals.ts';
import { openEnum, protocol } from '../open.ts';

/** The request about the use of the account. */
export const accountUsageRequests = {
  get_usage: z
    .looseObject({ subtype: z.literal('get_usage'), skip_behaviors: z.optional(z.boolean()) })
    .register(protocol, {
      id: 'SDKControlGetUsageRequest',
      description: 'Asks what the account has used of its limits.',
    }),
};

const share = z.looseObject({ name: z.string(), pct: z.number() });

/** What used the limits over some time. */
const behaviour = z.looseObject({
  request_count: z.number(),
  session_count: z.number(),
  behaviors: z.array(
    z.looseObject({
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
  recommendations: z.optional(
    z.array(z.looseObject({ key: z.string(), pct: z.number(), title: z.string(), detail: z.optional(z.string()) })),
  ),
  fix: z.optional(z.looseObject({ keys: z.array(z.string()), messages: z.array(z.string()) })),
  agents: z.array(share),
  skills: z.array(share),
  plugins: z.array(share),
  mcp_servers: z.array(share),
});

/** How much of one limit is used, and when it starts anew. */
const limit = z.looseObject({ utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) });

/** The payload of its answer. */
export const accountUsageResponses = {
  get_usage: z
    .looseObject({
      session: sessionTotals,
      subscription_type: z.nullable(z.string()),
      rate_limits_available: z.boolean(),
      rate_limits: z.nullable(
        z.looseObject({
          five_hour: z.optional(z.nullable(limit)),
          seven_day: z.optional(z.nullable(limit)),
          seven_day_oauth_apps: z.optional(z.nullable(limit)),
          seven_day_opus: z.optional(z.nullable(limit)),
          seven_day_sonnet: z.optional(z.nullable(limit)),
          model_scoped: z.optional(
            z.array(
              z.looseObject({
                display_name: z.string(),
                utilization: z.nullable(z.number()),
                resets_at: z.nullable(z.string()),
              }),
            ),
          ),
          extra_usage: z.optional(z.nullable(extraUsage)),
        }),
      ),
      behaviors: z.nullable(
        z.looseObject({
          day: behaviour,
          week: behaviour,
        }),
      ),
    })
    .register(protocol, { id: 'SDKControlGetUsageResponse', description: 'What the account has used of its limits.' }),
};
