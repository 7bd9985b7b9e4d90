import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Schema of `SDKFilesPersistedEvent`. */
export const filesPersistedEvent = lazy(() =>
  systemMessage('files_persisted', {
    files: z.array(object({ filename: z.string(), file_id: z.string() })),
    failed: z.array(object({ filename: z.string(), error: z.string() })),
    processed_at: z.string(),
  }),
);

/** Files were uploaded. */
export type SDKFilesPersistedEvent = Infer<typeof filesPersistedEvent>;

/** Schema of `SDKMemoryRecallMessage`. */
export const memoryRecallMessage = lazy(() =>
  systemMessage('memory_recall', {
    mode: openEnum(['select', 'synthesize']),
    memories: z.array(
      object({
        path: z.string(),
        scope: openEnum(['personal', 'team', 'organization']),
        content: optional(z.string()),
      }),
    ),
  }),
);

/** Memories were brought into the context. */
export type SDKMemoryRecallMessage = Infer<typeof memoryRecallMessage>;
