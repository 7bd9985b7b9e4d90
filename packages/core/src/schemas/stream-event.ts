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
      partial_json: z.string().check(z.describe('A piece of the input of a tool call. All pieces of a block, joined together, are the input as JSON.')),
    }),
    openObject({ type: z.literal('thinking_delta'), thinking: z.string(), estimated_tokens: z.optional(z.nullable(z.number())) }),
    openObject({ type: z.literal('signature_delta'), signature: z.string() }),
    openObject({ type: z.literal('citations_delta'), citation: z.unknown() }),
    openObject({ type: z.literal('compaction_delta'), content: z.optional(z.nullable(z.string())), encrypted_content: z.optional(z.nullable(z.string())) }),
  ],
  { id: 'StreamEventDelta', description: 'An addition to a content block.' },
);

const blockIndex = z.describe('The position of the block in the reply, counted from 0. All events of one block have the same index.');

const endOfMessage = openObject({
  stop_reason: carried(z.nullable(stopReason)),
  stop_sequence: carried(z.nullable(z.string())),
  stop_details: z.optional(z.unknown()).check(z.describe('Details of a refusal, in the format of the model API.')),
  container: z.optional(z.unknown()).check(z.describe('The container in which the model API ran code for this reply.')),
});

export const streamEvent = openUnion(
  'type',
  [
    openObject({
      type: z.literal('message_start'),
      message: apiMessage.check(z.describe('The reply at its start, without content, and with an initial count of its tokens.')),
    }),
    openObject({
      type: z.literal('content_block_start'),
      index: z.number().check(blockIndex),
      content_block: contentBlock.check(z.describe('The block in its initial form. The following deltas add the remaining content.')),
    }),
    openObject({ type: z.literal('content_block_delta'), index: z.number().check(blockIndex), delta: streamEventDelta }),
    openObject({ type: z.literal('content_block_stop'), index: z.number().check(blockIndex) }),
    openObject({
      type: z.literal('message_delta'),
      delta: endOfMessage,
      usage: apiUsageDelta,
      context_management: z.optional(z.unknown()).check(z.describe('How the model API changed the context of the request to keep it small.')),
    }),
    openObject({ type: z.literal('message_stop') }),
  ],
  { id: 'StreamEvent', description: 'One event of a streamed reply from the model API.' },
);

export const partialAssistantMessage = agentMessage('stream_event', {
  event: streamEvent.check(z.describe('The event as the model API sent it. The agent does not pass on `ping` and `error` events.')),
  parent_tool_use_id: parentToolUseId,
  ttft_ms: z.optional(z.number()).check(z.describe('Milliseconds until the reply started. Present only on the first event of a reply.')),
  ...promptsAnswered,
  // Seen on the wire, not declared by the published SDK.
  thinking_display: z.optional(z.string()),
  api_message_id: z.optional(z.string()).check(z.describe('The `message.id` of the reply that the event belongs to.')),
  abandoned_blocks: z
    .optional(openObject({ api_message_id: z.string(), from_block_index: z.number() }))
    .check(z.describe('Reports that some blocks of a reply will not be completed: all blocks whose index is `from_block_index` or higher.')),
  owed_rows: z.optional(z.array(z.unknown())),
}).register(protocol, { id: 'SDKPartialAssistantMessage', description: 'One stream event from the model API, sent as soon as it arrives.' });
