import * as z from 'zod/mini';
import { contentBlock } from './content-blocks.ts';
import { carried, openEnum, openObject, protocol } from './open.ts';

const inputTokens = z.describe('Tokens of the input that were neither read from the prompt cache nor written to the prompt cache.');
const outputTokens = z.describe('Tokens that the model wrote, including its thinking.');
const cacheCreationInputTokens = z.describe('Tokens of the input that were written to the prompt cache.');
const cacheReadInputTokens = z.describe('Tokens of the input that were read from the prompt cache.');
const keptFor = z.describe('The tokens written to the prompt cache, grouped by how long the cache keeps them.');
const serverToolUses = z.describe('How often the model API ran a tool on its servers.');
const outputDetails = z.describe('A breakdown of the output tokens.');
const serviceTier = z.describe('The service tier that served the request, such as `standard`, `priority` or `batch`.');
const inferenceGeo = z.describe('The geographic region where the model ran.');
const rounds = z.describe('The tokens of each round, if the model API ran the model several times for one call.');
const speeds = z.describe('The speed at which the model ran, such as `standard` or `fast`.');

const cacheCreation = openObject({
  ephemeral_5m_input_tokens: carried(z.number()).check(z.describe('Tokens that the prompt cache keeps for five minutes.')),
  ephemeral_1h_input_tokens: carried(z.number()).check(z.describe('Tokens that the prompt cache keeps for one hour.')),
});

const serverToolUse = openObject({ web_search_requests: carried(z.number()), web_fetch_requests: carried(z.number()) });

const outputTokensDetails = openObject({ thinking_tokens: carried(z.number()) });

export const apiUsage = openObject({
  input_tokens: carried(z.number()).check(inputTokens),
  output_tokens: carried(z.number()).check(outputTokens),
  cache_creation_input_tokens: z.optional(z.nullable(z.number())).check(cacheCreationInputTokens),
  cache_read_input_tokens: z.optional(z.nullable(z.number())).check(cacheReadInputTokens),
  cache_creation: z.optional(z.nullable(cacheCreation)).check(keptFor),
  server_tool_use: z.optional(z.nullable(serverToolUse)).check(serverToolUses),
  output_tokens_details: z.optional(z.nullable(outputTokensDetails)).check(outputDetails),
  service_tier: z.optional(z.nullable(z.string())).check(serviceTier),
  inference_geo: z.optional(z.nullable(z.string())).check(inferenceGeo),
  iterations: z.optional(z.nullable(z.array(z.unknown()))).check(rounds),
  speed: z.optional(z.nullable(z.string())).check(speeds),
  fallback_credit: z.optional(z.unknown()),
}).register(protocol, { id: 'ApiUsage', description: 'The tokens used by one call to the model API. The counts are not final while the reply is incomplete.' });

export const resultUsage = openObject({
  input_tokens: carried(z.number()).check(inputTokens),
  output_tokens: carried(z.number()).check(outputTokens),
  cache_creation_input_tokens: z.optional(z.number()).check(cacheCreationInputTokens),
  cache_read_input_tokens: z.optional(z.number()).check(cacheReadInputTokens),
  cache_creation: z.optional(cacheCreation).check(keptFor),
  server_tool_use: z.optional(serverToolUse).check(serverToolUses),
  output_tokens_details: z.optional(outputTokensDetails).check(outputDetails),
  service_tier: z.optional(z.string()).check(serviceTier),
  inference_geo: z.optional(z.string()).check(inferenceGeo),
  iterations: z.optional(z.array(z.unknown())).check(rounds),
  speed: z.optional(z.string()).check(speeds),
  fallback_credit: z.optional(z.unknown()),
}).register(protocol, { id: 'NonNullableUsage', description: 'The tokens used by the main loop in one turn. Only `fallback_credit` can be `null`.' });

export const apiUsageDelta = openObject({
  output_tokens: carried(z.number()).check(outputTokens),
  input_tokens: z.optional(z.nullable(z.number())).check(inputTokens),
  cache_creation_input_tokens: z.optional(z.nullable(z.number())).check(cacheCreationInputTokens),
  cache_read_input_tokens: z.optional(z.nullable(z.number())).check(cacheReadInputTokens),
  server_tool_use: z.optional(z.nullable(serverToolUse)).check(serverToolUses),
  output_tokens_details: z.optional(z.nullable(outputTokensDetails)).check(outputDetails),
  iterations: z.optional(z.nullable(z.array(z.unknown()))).check(rounds),
  fallback_credit: z.optional(z.unknown()),
}).register(protocol, { id: 'ApiUsageDelta', description: 'The tokens used so far, as reported in a `message_delta` event.' });

export const stopReason = openEnum(
  ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'compaction', 'refusal', 'model_context_window_exceeded'],
  { id: 'StopReason', description: 'Why the model stopped.' },
);

export const apiMessage = openObject({
  id: carried(z.string()).check(
    z.describe('The id of the reply. All messages that contain pieces of the reply have this id. If the agent itself wrote the message, the id is a UUID.'),
  ),
  type: carried(z.literal('message')),
  role: z.literal('assistant'),
  model: carried(z.string()).check(z.describe('The model that wrote the reply. `<synthetic>` if the agent itself wrote the message.')),
  content: z
    .array(contentBlock)
    .check(z.describe('The content of the reply: one completed block in an `assistant` message, and an empty list in a `message_start` event.')),
  stop_reason: carried(z.nullable(stopReason)),
  stop_sequence: carried(z.nullable(z.string())).check(z.describe('The stop sequence that ended the reply, if a stop sequence ended it.')),
  usage: carried(apiUsage),
  stop_details: z.optional(z.unknown()).check(z.describe('Details of a refusal, in the format of the model API.')),
  container: z.optional(z.unknown()).check(z.describe('The container in which the model API ran code for this reply.')),
  context_management: z.optional(z.unknown()).check(z.describe('How the model API changed the context of the request to keep it small.')),
  diagnostics: z.optional(z.unknown()),
}).register(protocol, {
  id: 'ApiMessage',
  description: 'A message from the model. While the message is incomplete, `stop_reason` is `null` and `usage` is not final.',
});
