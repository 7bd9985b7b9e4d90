import { carried, object, optional } from './object-schema.ts';
import { array, type Infer, lazy, nullable, number, string, unknown } from './schema.ts';

/** Schema of `ApiUsage`. */
export const apiUsage = lazy(() =>
  object({
    input_tokens: carried(number),
    output_tokens: carried(number),
    cache_creation_input_tokens: optional(nullable(number)),
    cache_read_input_tokens: optional(nullable(number)),
    cache_creation: optional(nullable(cacheCreation)),
    server_tool_use: optional(nullable(serverToolUse)),
    output_tokens_details: optional(nullable(outputTokensDetails)),
    service_tier: optional(nullable(string)),
    inference_geo: optional(nullable(string)),
    iterations: optional(nullable(array(unknown))),
    speed: optional(nullable(string)),
    fallback_credit: optional(unknown),
  }),
);

/** The tokens of one call of the model API. Not final while the reply is incomplete. */
export type ApiUsage = Infer<typeof apiUsage>;

/** Schema of `NonNullableUsage`. */
export const resultUsage = lazy(() =>
  object({
    input_tokens: carried(number),
    output_tokens: carried(number),
    cache_creation_input_tokens: optional(number),
    cache_read_input_tokens: optional(number),
    cache_creation: optional(cacheCreation),
    server_tool_use: optional(serverToolUse),
    output_tokens_details: optional(outputTokensDetails),
    service_tier: optional(string),
    inference_geo: optional(string),
    iterations: optional(array(unknown)),
    speed: optional(string),
    fallback_credit: optional(unknown),
  }),
);

/** The tokens of the main loop of one turn. No member but `fallback_credit` is null. */
export type NonNullableUsage = Infer<typeof resultUsage>;

/** Schema of `ApiUsageDelta`. */
export const apiUsageDelta = lazy(() =>
  object({
    output_tokens: carried(number),
    input_tokens: optional(nullable(number)),
    cache_creation_input_tokens: optional(nullable(number)),
    cache_read_input_tokens: optional(nullable(number)),
    server_tool_use: optional(nullable(serverToolUse)),
    output_tokens_details: optional(nullable(outputTokensDetails)),
    iterations: optional(nullable(array(unknown))),
  }),
);

/** The tokens so far, as a `message_delta` event tells them. */
export type ApiUsageDelta = Infer<typeof apiUsageDelta>;

const cacheCreation = lazy(() =>
  object({ ephemeral_5m_input_tokens: carried(number), ephemeral_1h_input_tokens: carried(number) }),
);

const serverToolUse = lazy(() => object({ web_search_requests: carried(number), web_fetch_requests: carried(number) }));

const outputTokensDetails = lazy(() => object({ thinking_tokens: carried(number) }));
