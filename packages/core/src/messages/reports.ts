import * as z from 'zod/mini';

import { type Infer, lazy, object, openEnum, optional } from './schema.ts';
import { extraUsage, sessionTotals } from './usage-totals.ts';

/** Schema of `SDKContextUsageCategory`. */
export const contextUsageCategory = lazy(() =>
  object({
    name: z.string(),
    tokens: z.number(),
    kind: openEnum(['used', 'free', 'buffer', 'deferred']),
  }),
);

/** One part of the context window, and its tokens. */
export type SDKContextUsageCategory = Infer<typeof contextUsageCategory>;

/** Schema of `SDKContextUsage`. */
export const contextUsage = lazy(() =>
  object({
    model: z.string(),
    total_tokens: z.number(),
    raw_max_tokens: z.number(),
    percentage: z.number(),
    over_limit: optional(object({ tokens_over: z.number(), kind: openEnum(['hard_limit', 'compaction_window']) })),
    categories: z.array(contextUsageCategory()),
    mcp_tools: z.array(object({ name: z.string(), server_name: z.string(), tokens: z.number() })),
    memory_files: z.array(object({ path: z.string(), type: z.string(), tokens: z.number() })),
    agents: z.array(object({ agent_type: z.string(), source: z.string(), tokens: z.number() })),
    skills: optional(
      z.array(object({ name: z.string(), source: z.string(), plugin_name: optional(z.string()), tokens: z.number() })),
    ),
  }),
);

/** What fills the context window. */
export type SDKContextUsage = Infer<typeof contextUsage>;

/** Schema of `SDKUsageReport`. */
export const usageReport = lazy(() =>
  object({
    session: sessionTotals(),
    rate_limits: z.nullable(
      object({
        limits: z.nullable(
          z.array(
            object({
              kind: z.string(),
              group: z.string(),
              percent: z.number(),
              resets_at: z.nullable(z.string()),
              scope: optional(
                z.nullable(
                  object({
                    model: optional(z.nullable(object({ display_name: z.string() }))),
                    surface: optional(z.nullable(object({ display_name: z.string() }))),
                  }),
                ),
              ),
              severity: z.string(),
              is_active: z.boolean(),
            }),
          ),
        ),
        extra_usage: optional(z.nullable(extraUsage())),
      }),
    ),
  }),
);

/** What the session cost, and how near the plan limits are. */
export type SDKUsageReport = Infer<typeof usageReport>;
