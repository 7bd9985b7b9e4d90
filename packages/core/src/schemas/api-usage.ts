import * as z from 'zod/mini';
import { carried, protocol } from './open.ts';

const cacheCreation = z.looseObject({
  ephemeral_5m_input_tokens: carried(z.number()),
  ephemeral_1h_input_tokens: carried(z.number()),
});

const serverToolUse = z.looseObject({
  web_search_requests: carried(z.number()),
  web_fetch_requests: carried(z.number()),
});

const outputTokensDetails = z.looseObject({ thinking_tokens: carried(z.number()) });

export const apiUsage = z
  .looseObject({
    input_tokens: carried(z.number()),
    output_tokens: carried(z.number()),
    cache_creation_input_tokens: z.optional(z.nullable(z.number())),
    cache_read_input_tokens: z.optional(z.nullable(z.number())),
    cache_creation: z.optional(z.nullable(cacheCreation)),
    server_tool_use: z.optional(z.nullable(serverToolUse)),
    output_tokens_details: z.optional(z.nullable(outputTokensDetails)),
    service_tier: z.optional(z.nullable(z.string())),
    inference_geo: z.optional(z.nullable(z.string())),
    iterations: z.optional(z.nullable(z.array(z.unknown()))),
    speed: z.optional(z.nullable(z.string())),
    fallback_credit: z.optional(z.unknown()),
  })
  .register(protocol, {
    id: 'ApiUsage',
    description: 'The tokens of one call of the model API. Not final while the reply is incomplete.',
  });

export const resultUsage = z
  .looseObject({
    input_tokens: carried(z.number()),
    output_tokens: carried(z.number()),
    cache_creation_input_tokens: z.optional(z.number()),
    cache_read_input_tokens: z.optional(z.number()),
    cache_creation: z.optional(cacheCreation),
    server_tool_use: z.optional(serverToolUse),
    output_tokens_details: z.optional(outputTokensDetails),
    service_tier: z.optional(z.string()),
    inference_geo: z.optional(z.string()),
    iterations: z.optional(z.array(z.unknown())),
    speed: z.optional(z.string()),
    fallback_credit: z.optional(z.unknown()),
  })
  .register(protocol, {
    id: 'NonNullableUsage',
    description: 'The tokens of the main loop of one turn. No member but `fallback_credit` is null.',
  });

export const apiUsageDelta = z
  .looseObject({
    output_tokens: carried(z.number()),
    input_tokens: z.optional(z.nullable(z.number())),
    cache_creation_input_tokens: z.optional(z.nullable(z.number())),
    cache_read_input_tokens: z.optional(z.nullable(z.number())),
    server_tool_use: z.optional(z.nullable(serverToolUse)),
    output_tokens_details: z.optional(z.nullable(outputTokensDetails)),
    iterations: z.optional(z.nullable(z.array(z.unknown()))),
  })
  .register(protocol, {
    id: 'ApiUsageDelta',
    description: 'The tokens so far, as a `message_delta` event tells them.',
  });
