import { agentMessage } from './agent-message.ts';
import { apiMessage, stopReason } from './api-message.ts';
import { apiUsageDelta } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, object, optional } from './object-schema.ts';
import { array, type Infer, lazy, literal, nullable, number, string, unknown } from './schema.ts';
import { openUnion } from './union-schema.ts';

/** Schema of `StreamEventDelta`. */
export const streamEventDelta = lazy(() =>
  openUnion('type', {
    text_delta: lazy(() => object({ type: literal('text_delta'), text: string })),
    input_json_delta: lazy(() => object({ type: literal('input_json_delta'), partial_json: string })),
    thinking_delta: lazy(() =>
      object({
        type: literal('thinking_delta'),
        thinking: string,
        estimated_tokens: optional(nullable(number)),
      }),
    ),
    signature_delta: lazy(() => object({ type: literal('signature_delta'), signature: string })),
    citations_delta: lazy(() => object({ type: literal('citations_delta'), citation: unknown })),
    compaction_delta: lazy(() =>
      object({
        type: literal('compaction_delta'),
        content: optional(nullable(string)),
        encrypted_content: optional(nullable(string)),
      }),
    ),
  }),
);

/** What a content block grows by. */
export type StreamEventDelta = Infer<typeof streamEventDelta>;

/** Schema of `StreamEvent`. */
export const streamEvent = lazy(() =>
  openUnion('type', {
    message_start: lazy(() => object({ type: literal('message_start'), message: apiMessage })),
    content_block_start: lazy(() =>
      object({ type: literal('content_block_start'), index: number, content_block: contentBlock }),
    ),
    content_block_delta: lazy(() =>
      object({ type: literal('content_block_delta'), index: number, delta: streamEventDelta }),
    ),
    content_block_stop: lazy(() => object({ type: literal('content_block_stop'), index: number })),
    message_delta: lazy(() =>
      object({
        type: literal('message_delta'),
        delta: object({
          stop_reason: carried(nullable(stopReason)),
          stop_sequence: carried(nullable(string)),
        }),
        usage: apiUsageDelta,
        context_management: optional(unknown),
      }),
    ),
    message_stop: lazy(() => object({ type: literal('message_stop') })),
  }),
);

/** One event of a reply of the model API while it streams. */
export type StreamEvent = Infer<typeof streamEvent>;

/** Schema of `SDKPartialAssistantMessage`. */
export const partialAssistantMessage = lazy(() =>
  agentMessage('stream_event', {
    event: streamEvent,
    parent_tool_use_id: nullable(string),
    ttft_ms: optional(number),
    user_message_uuid: optional(string),
    user_message_uuids: optional(array(string)),
    resume_reason: optional(string),
    // Seen, not declared.
    thinking_display: optional(string),
    api_message_id: optional(string),
    owed_rows: optional(array(unknown)),
  }),
);

/** One stream event of the model API, as it arrives. */
export type SDKPartialAssistantMessage = Infer<typeof partialAssistantMessage>;
