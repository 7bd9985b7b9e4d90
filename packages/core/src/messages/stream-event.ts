import * as z from 'zod/mini';

import { agentMessage } from './agent-message.ts';
import { apiMessage, stopReason } from './api-message.ts';
import { apiUsageDelta } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, type Infer, lazy, object, openUnionOf, optional } from './schema.ts';

/** Schema of `StreamEventDelta`. */
export const streamEventDelta = lazy(() =>
  openUnionOf('type', {
    text_delta: lazy(() => object({ type: z.literal('text_delta'), text: z.string() })),
    input_json_delta: lazy(() => object({ type: z.literal('input_json_delta'), partial_json: z.string() })),
    thinking_delta: lazy(() =>
      object({
        type: z.literal('thinking_delta'),
        thinking: z.string(),
        estimated_tokens: optional(z.nullable(z.number())),
      }),
    ),
    signature_delta: lazy(() => object({ type: z.literal('signature_delta'), signature: z.string() })),
    citations_delta: lazy(() => object({ type: z.literal('citations_delta'), citation: z.unknown() })),
    compaction_delta: lazy(() =>
      object({
        type: z.literal('compaction_delta'),
        content: optional(z.nullable(z.string())),
        encrypted_content: optional(z.nullable(z.string())),
      }),
    ),
  }),
);

/** What a content block grows by. */
export type StreamEventDelta = Infer<typeof streamEventDelta>;

/** Schema of `StreamEvent`. */
export const streamEvent = lazy(() =>
  openUnionOf('type', {
    message_start: lazy(() => object({ type: z.literal('message_start'), message: apiMessage() })),
    content_block_start: lazy(() =>
      object({ type: z.literal('content_block_start'), index: z.number(), content_block: contentBlock() }),
    ),
    content_block_delta: lazy(() =>
      object({ type: z.literal('content_block_delta'), index: z.number(), delta: streamEventDelta() }),
    ),
    content_block_stop: lazy(() => object({ type: z.literal('content_block_stop'), index: z.number() })),
    message_delta: lazy(() =>
      object({
        type: z.literal('message_delta'),
        delta: object({
          stop_reason: carried(z.nullable(stopReason())),
          stop_sequence: carried(z.nullable(z.string())),
        }),
        usage: apiUsageDelta(),
        context_management: optional(z.unknown()),
      }),
    ),
    message_stop: lazy(() => object({ type: z.literal('message_stop') })),
  }),
);

/** One event of a reply of the model API while it streams. */
export type StreamEvent = Infer<typeof streamEvent>;

/** Schema of `SDKPartialAssistantMessage`. */
export const partialAssistantMessage = lazy(() =>
  agentMessage('stream_event', {
    event: streamEvent(),
    parent_tool_use_id: z.nullable(z.string()),
    ttft_ms: optional(z.number()),
    user_message_uuid: optional(z.string()),
    user_message_uuids: optional(z.array(z.string())),
    resume_reason: optional(z.string()),
    // Seen, not declared.
    thinking_display: optional(z.string()),
    api_message_id: optional(z.string()),
    owed_rows: optional(z.array(z.unknown())),
  }),
);

/** One stream event of the model API, as it arrives. */
export type SDKPartialAssistantMessage = Infer<typeof partialAssistantMessage>;
