import * as z from 'zod/mini';
import { apiUsage } from './api-usage.ts';
import { contentBlock } from './content-block.ts';
import { carried, openEnum, protocol } from './open.ts';

export const stopReason = openEnum(
  [
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'compaction',
    'refusal',
    'model_context_window_exceeded',
  ],
  { id: 'StopReason', description: 'Why the model stopped.' },
);

export const apiMessage = z
  .looseObject({
    id: carried(z.string()),
    type: carried(z.literal('message')),
    role: z.literal('assistant'),
    model: carried(z.string()),
    content: z.array(contentBlock),
    stop_reason: carried(z.nullable(stopReason)),
    stop_sequence: carried(z.nullable(z.string())),
    usage: carried(apiUsage),
    stop_details: z.optional(z.unknown()),
    container: z.optional(z.unknown()),
    context_management: z.optional(z.unknown()),
    diagnostics: z.optional(z.unknown()),
  })
  .register(protocol, {
    id: 'ApiMessage',
    description: 'A message of the model. While it is incomplete, `stop_reason` is null and `usage` is not final.',
  });
