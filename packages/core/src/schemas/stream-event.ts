import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { apiMessage, stopReason } from './api-message.ts';
import { apiUsageDelta } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, openUnion, protocol } from './open.ts';

export const streamEventDelta = openUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
    z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    z.looseObject({
      type: z.literal('thinking_delta'),
      thinking: z.string(),
      estimated_tokens: z.optional(z.nullable(z.number())),
    }),
    z.looseObject({ type: z.literal('signature_delta'), signature: z.string() }),
    z.looseObject({ type: z.literal('citations_delta'), citation: z.unknown() }),
    z.looseObject({
      type: z.literal('compaction_delta'),
      content: z.optional(z.nullable(z.string())),
      encrypted_content: z.optional(z.nullable(z.string())),
    }),
  ],
  { id: 'StreamEventDelta', description: 'What a content block grows by.' },
);

export const streamEvent = openUnion(
  'type',
  [
    z.looseObject({ type: z.literal('message_start'), message: apiMessage }),
    z.looseObject({ type: z.literal('content_block_start'), index: z.number(), content_block: contentBlock }),
    z.looseObject({ type: z.literal('content_block_delta'), index: z.number(), delta: streamEventDelta }),
    z.looseObject({ type: z.literal('content_block_stop'), index: z.number() }),
    z.looseObject({
      type: z.literal('message_delta'),
      delta: z.looseObject({
        stop_reason: carried(z.nullable(stopReason)),
        stop_sequence: carried(z.nullable(z.string())),
      }),
      usage: apiUsageDelta,
      context_management: z.optional(z.unknown()),
    }),
    z.looseObject({ type: z.literal('message_stop') }),
  ],
  { id: 'StreamEvent', description: 'One event of a reply of the model API while it streams.' },
);

export const partialAssistantMessage = agentMessage('stream_event', {
  event: streamEvent,
  parent_tool_use_id: z.nullable(z.string()),
  ttft_ms: z.optional(z.number()),
  user_message_uuid: z.optional(z.string()),
  user_message_uuids: z.optional(z.array(z.string())),
  resume_reason: z.optional(z.string()),
  // Seen, not declared.
  thinking_display: z.optional(z.string()),
  api_message_id: z.optional(z.string()),
  owed_rows: z.optional(z.array(z.unknown())),
}).register(protocol, {
  id: 'SDKPartialAssistantMessage',
  description: 'One stream event of the model API, as it arrives.',
});
