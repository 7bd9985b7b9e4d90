import * as z from 'zod/mini';

import { carried, type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `ApiUsage`. */
export const apiUsage = lazy(() =>
  object({
    input_tokens: carried(z.number()),
    output_tokens: carried(z.number()),
    cache_creation_input_tokens: optional(z.nullable(z.number())),
    cache_read_input_tokens: optional(z.nullable(z.number())),
    cache_creation: optional(z.nullable(cacheCreation())),
    server_tool_use: optional(z.nullable(serverToolUse())),
    output_tokens_details: optional(z.nullable(outputTokensDetails())),
    service_tier: optional(z.nullable(z.string())),
    inference_geo: optional(z.nullable(z.string())),
    iterations: optional(z.nullable(z.array(z.unknown()))),
    speed: optional(z.nullable(z.string())),
    fallback_credit: optional(z.unknown()),
  }),
);

/** The tokens of one call of the model API. Not final while the reply is incomplete. */
export type ApiUsage = Infer<typeof apiUsage>;

/** Schema of `NonNullableUsage`. */
export const resultUsage = lazy(() =>
  object({
    input_tokens: carried(z.number()),
    output_tokens: carried(z.number()),
    cache_creation_input_tokens: optional(z.number()),
    cache_read_input_tokens: optional(z.number()),
    cache_creation: optional(cacheCreation()),
    server_tool_use: optional(serverToolUse()),
    output_tokens_details: optional(outputTokensDetails()),
    service_tier: optional(z.string()),
    inference_geo: optional(z.string()),
    iterations: optional(z.array(z.unknown())),
    speed: optional(z.string()),
    fallback_credit: optional(z.unknown()),
  }),
);

/** The tokens of the main loop of one turn. No member but `fallback_credit` is null. */
export type NonNullableUsage = Infer<typeof resultUsage>;

/** Schema of `ApiUsageDelta`. */
export const apiUsageDelta = lazy(() =>
  object({
    output_tokens: carried(z.number()),
    input_tokens: optional(z.nullable(z.number())),
    cache_creation_input_tokens: optional(z.nullable(z.number())),
    cache_read_input_tokens: optional(z.nullable(z.number())),
    server_tool_use: optional(z.nullable(serverToolUse())),
    output_tokens_details: optional(z.nullable(outputTokensDetails())),
    iterations: optional(z.nullable(z.array(z.unknown()))),
  }),
);

/** The tokens so far, as a `message_delta` event tells them. */
export type ApiUsageDelta = Infer<typeof apiUsageDelta>;

const cacheCreation = lazy(() =>
  object({ ephemeral_5m_input_tokens: carried(z.number()), ephemeral_1h_input_tokens: carried(z.number()) }),
);

const serverToolUse = lazy(() =>
  object({ web_search_requests: carried(z.number()), web_fetch_requests: carried(z.number()) }),
);

const outputTokensDetails = lazy(() => object({ thinking_tokens: carried(z.number()) }));
