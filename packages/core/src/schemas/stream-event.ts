import * as z from 'zod/mini';
import { agentMessage, parentToolUseId, promptsAnswered } from './message-members.ts';
import { apiMessage, apiUsageDelta, stopReason } from './api-message.ts';
import { contentBlock } from './content-blocks.ts';
import { carried, openObject, openUnion, protocol } from './open.ts';

export const streamEventDelta = openUnion(
  'type',
  [
    openObject({ type: z.literal('text_delta'), text: z.string() }),
    openObject({
      type: z.literal('input_json_delta'),
      partial_json: z.string().check(z.describe('A piece of the input of a tool call: all pieces of a block, joined, are the JSON of it.')),
    }),
    openObject({ type: z.literal('thinking_delta'), thinking: z.string(), estimated_tokens: z.optional(z.nullable(z.number())) }),
    openObject({ type: z.literal('signature_delta'), signature: z.string() }),
    openObject({ type: z.literal('citations_delta'), citation: z.unknown() }),
    openObject({ type: z.literal('compaction_delta'), content: z.optional(z.nullable(z.string())), encrypted_content: z.optional(z.nullable(z.string())) }),
  ],
  { id: 'StreamEventDelta', description: 'What a content block grows by.' },
);

const blockIndex = z.describe('The place of the block in the reply, counted from 0; ties the events of one block together.');

const endOfMessage = openObject({
  stop_reason: carried(z.nullable(stopReason)),
  stop_sequence: carried(z.nullable(z.string())),
  stop_details: z.optional(z.unknown()).check(z.describe('What the model API tells of a refusal.')),
  container: z.optional(z.unknown()).check(z.describe('The container in which the model API ran code for this reply.')),
});

export const streamEvent = openUnion(
  'type',
  [
    openObject({
      type: z.literal('message_start'),
      message: apiMessage.check(z.describe('The reply with no content yet, and with the first count of its tokens.')),
    }),
    openObject({
      type: z.literal('content_block_start'),
      index: z.number().check(blockIndex),
      content_block: contentBlock.check(z.describe('The block without what its deltas will bring.')),
    }),
    openObject({ type: z.literal('content_block_delta'), index: z.number().check(blockIndex), delta: streamEventDelta }),
    openObject({ type: z.literal('content_block_stop'), index: z.number().check(blockIndex) }),
    openObject({
      type: z.literal('message_delta'),
      delta: endOfMessage,
      usage: apiUsageDelta,
      context_management: z.optional(z.unknown()).check(z.describe('What the model API did to the context of its request to keep it small.')),
    }),
    openObject({ type: z.literal('message_stop') }),
  ],
  { id: 'StreamEvent', description: 'One event of a reply of the model API while it streams.' },
);

export const partialAssistantMessage = agentMessage('stream_event', {
  event: streamEvent.check(z.describe('The event as the model API sent it; its `ping` and `error` events are left out.')),
  parent_tool_use_id: parentToolUseId,
  ttft_ms: z.optional(z.number()).check(z.describe('Milliseconds until the reply began; only on its first event.')),
  ...promptsAnswered,
  // Seen, not declared.
  thinking_display: z.optional(z.string()),
  api_message_id: z.optional(z.string()).check(z.describe('The `message.id` of the reply that the event belongs to.')),
  abandoned_blocks: z
    .optional(openObject({ api_message_id: z.string(), from_block_index: z.number() }))
    .check(z.describe('The blocks of a reply that will not come to their end, from this one on.')),
  owed_rows: z.optional(z.array(z.unknown())),
}).register(protocol, { id: 'SDKPartialAssistantMessage', description: 'One stream event of the model API, as it arrives.' });
