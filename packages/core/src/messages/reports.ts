import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, nullable, number, openEnum, string } from './schema.ts';
import { extraUsage, sessionTotals } from './usage-totals.ts';

/** Schema of `SDKContextUsageCategory`. */
export const contextUsageCategory = lazy(() =>
  object({
    name: string,
    tokens: number,
    kind: openEnum(['used', 'free', 'buffer', 'deferred']),
  }),
);

/** One part of the context window, and its tokens. */
export type SDKContextUsageCategory = Infer<typeof contextUsageCategory>;

/** Schema of `SDKContextUsage`. */
export const contextUsage = lazy(() =>
  object({
    model: string,
    total_tokens: number,
    raw_max_tokens: number,
    percentage: number,
    over_limit: optional(object({ tokens_over: number, kind: openEnum(['hard_limit', 'compaction_window']) })),
    categories: array(contextUsageCategory),
    mcp_tools: array(object({ name: string, server_name: string, tokens: number })),
    memory_files: array(object({ path: string, type: string, tokens: number })),
    agents: array(object({ agent_type: string, source: string, tokens: number })),
    skills: optional(array(object({ name: string, source: string, plugin_name: optional(string), tokens: number }))),
  }),
);

/** What fills the context window. */
export type SDKContextUsage = Infer<typeof contextUsage>;

/** Schema of `SDKUsageReport`. */
export const usageReport = lazy(() =>
  object({
    session: sessionTotals,
    rate_limits: nullable(
      object({
        limits: nullable(
          array(
            object({
              kind: string,
              group: string,
              percent: number,
              resets_at: nullable(string),
              scope: optional(
                nullable(
                  object({
                    model: optional(nullable(object({ display_name: string }))),
                    surface: optional(nullable(object({ display_name: string }))),
                  }),
                ),
              ),
              severity: string,
              is_active: boolean,
            }),
          ),
        ),
        extra_usage: optional(nullable(extraUsage)),
      }),
    ),
  }),
);

/** What the session cost, and how near the plan limits are. */
export type SDKUsageReport = Infer<typeof usageReport>;
