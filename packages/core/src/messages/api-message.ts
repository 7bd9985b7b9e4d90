import { apiUsage } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, object, optional } from './object-schema.ts';
import { array, type Infer, lazy, literal, nullable, openEnum, string, unknown } from './schema.ts';

/** Schema of `StopReason`. */
export const stopReason = lazy(() =>
  openEnum([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'compaction',
    'refusal',
    'model_context_window_exceeded',
  ]),
);

/** Why the model stopped. */
export type StopReason = Infer<typeof stopReason>;

/** Schema of `ApiMessage`. */
export const apiMessage = lazy(() =>
  object({
    id: carried(string),
    type: carried(literal('message')),
    role: literal('assistant'),
    model: carried(string),
    content: array(contentBlock),
    stop_reason: carried(nullable(stopReason)),
    stop_sequence: carried(nullable(string)),
    usage: carried(apiUsage),
    stop_details: optional(unknown),
    container: optional(unknown),
    context_management: optional(unknown),
    diagnostics: optional(unknown),
  }),
);

/** A message of the model. While it is incomplete, `stop_reason` is null and `usage` is not final. */
export type ApiMessage = Infer<typeof apiMessage>;
