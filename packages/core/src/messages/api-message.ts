import * as z from 'zod/mini';

import { apiUsage } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, type Infer, lazy, object, openEnum, optional } from './schema.ts';

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
    id: carried(z.string()),
    type: carried(z.literal('message')),
    role: z.literal('assistant'),
    model: carried(z.string()),
    content: z.array(contentBlock()),
    stop_reason: carried(z.nullable(stopReason())),
    stop_sequence: carried(z.nullable(z.string())),
    usage: carried(apiUsage()),
    stop_details: optional(z.unknown()),
    container: optional(z.unknown()),
    context_management: optional(z.unknown()),
    diagnostics: optional(z.unknown()),
  }),
);

/** A message of the model. While it is incomplete, `stop_reason` is null and `usage` is not final. */
export type ApiMessage = Infer<typeof apiMessage>;
