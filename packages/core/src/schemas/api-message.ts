import * as z from 'zod/mini';
import { apiUsage } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, openEnum, openObject, protocol } from './open.ts';

export const stopReason = openEnum(
  ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'compaction', 'refusal', 'model_context_window_exceeded'],
  { id: 'StopReason', description: 'Why the model stopped.' },
);

export const apiMessage = openObject({
  id: carried(z.string()).check(z.describe('The same in every message that carries a piece of one reply; a UUID where the agent made the message up.')),
  type: carried(z.literal('message')),
  role: z.literal('assistant'),
  model: carried(z.string()).check(z.describe('The model that wrote the reply; `<synthetic>` where the agent made the message up.')),
  content: z.array(contentBlock).check(z.describe('In an `assistant` message one completed block; empty in a `message_start` event.')),
  stop_reason: carried(z.nullable(stopReason)),
  stop_sequence: carried(z.nullable(z.string())).check(z.describe('The stop sequence at which the model stopped, if it stopped at one.')),
  usage: carried(apiUsage),
  stop_details: z.optional(z.unknown()).check(z.describe('What the model API tells of a refusal.')),
  container: z.optional(z.unknown()).check(z.describe('The container in which the model API ran code for this reply.')),
  context_management: z.optional(z.unknown()).check(z.describe('What the model API did to the context of its request to keep it small.')),
  diagnostics: z.optional(z.unknown()),
}).register(protocol, { id: 'ApiMessage', description: 'A message of the model. While it is incomplete, `stop_reason` is null and `usage` is not final.' });
