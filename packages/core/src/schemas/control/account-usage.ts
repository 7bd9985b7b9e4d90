import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { extraUsage, sessionTotals } from '../usage.ts';

/** The request about the use of the account. */
export const accountUsageRequests = {
  get_usage: requestOf('get_usage', { skip_behaviors: z.optional(z.boolean()) }).register(protocol, {
    id: 'SDKControlGetUsageRequest',
    description: 'Asks how much of its limits the account has used.',
  }),
};

const share = openObject({ name: z.string(), pct: z.number() });

/** The kinds of work that used the limits over some time. */
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
    .check(z.describe('Limits for single models, each with a name for display.')),
  extra_usage: z.optional(z.nullable(extraUsage)).check(z.describe('The allowed use and the actual use beyond the limits of the plan.')),
});

/** The payload of the answer to this request. */
export const accountUsageResponses = {
  get_usage: openObject({
    session: sessionTotals.check(z.describe('The totals of this session. Also present without an account.')),
    subscription_type: z.nullable(z.string()).check(z.describe('The plan of the account; null without a plan, for example with an API key.')),
    rate_limits_available: z.boolean().check(z.describe('Whether limits can be reported. If not, `rate_limits` is null.')),
    rate_limits: z.nullable(limits),
    behaviors: z
      .nullable(openObject({ day: behaviour, week: behaviour }))
      .check(z.describe('The kinds of work that used the limits within a day and within a week; null if there is nothing to report.')),
  }).register(protocol, { id: 'SDKControlGetUsageResponse', description: 'How much of its limits the account has used.' }),
};
