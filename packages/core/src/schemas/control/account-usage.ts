import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { extraUsage, sessionTotals } from '../usage.ts';

/** The request about account usage. */
export const accountUsageRequests = {
  get_usage: requestOf('get_usage', { skip_behaviors: z.optional(z.boolean()) }).register(protocol, {
    id: 'SDKControlGetUsageRequest',
    description: "Asks how much of the account's limits is used.",
  }),
};

const share = openObject({ name: z.string(), pct: z.number() });

/** How different kinds of work contributed to account usage in a period. */
const behaviour = openObject({
  request_count: z.number(),
  session_count: z.number(),
  behaviors: z.array(
    openObject({
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
  recommendations: z.optional(z.array(openObject({ key: z.string(), pct: z.number(), title: z.string(), detail: z.optional(z.string()) }))),
  fix: z.optional(openObject({ keys: z.array(z.string()), messages: z.array(z.string()) })),
  agents: z.array(share),
  skills: z.array(share),
  plugins: z.array(share),
  mcp_servers: z.array(share),
});

const limit = openObject({
  utilization: z.nullable(z.number()),
  resets_at: z.nullable(z.string()).check(z.describe('When the limit resets, as text. In `rate_limit_event`, such times are numbers of seconds since 1970.')),
});

const limits = openObject({
  five_hour: z.optional(z.nullable(limit)),
  seven_day: z.optional(z.nullable(limit)),
  seven_day_oauth_apps: z.optional(z.nullable(limit)),
  seven_day_opus: z.optional(z.nullable(limit)),
  seven_day_sonnet: z.optional(z.nullable(limit)),
  model_scoped: z
    .optional(z.array(openObject({ display_name: z.string(), utilization: z.nullable(z.number()), resets_at: z.nullable(z.string()) })))
    .check(z.describe('Limits for individual models, each with a name for display.')),
  extra_usage: z.optional(z.nullable(extraUsage)).check(z.describe("The allowed and the actual usage beyond the plan's limits.")),
});

/** The payload of the answer to this request. */
export const accountUsageResponses = {
  get_usage: openObject({
    session: sessionTotals.check(z.describe('The totals of this session. Present even without an account.')),
    subscription_type: z.nullable(z.string()).check(z.describe('The plan of the account. `null` if the account has no plan, for example with an API key.')),
    rate_limits_available: z.boolean().check(z.describe('Whether the agent can report limits. If false, `rate_limits` is `null`.')),
    rate_limits: z.nullable(limits),
    behaviors: z
      .nullable(openObject({ day: behaviour, week: behaviour }))
      .check(z.describe('How different kinds of work contributed to usage in the last day and the last week. `null` if the agent has nothing to report.')),
  }).register(protocol, { id: 'SDKControlGetUsageResponse', description: "How much of the account's limits is used." }),
};
