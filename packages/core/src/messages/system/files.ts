import { systemMessage } from '../agent-message.ts';
import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, openEnum, string } from '../schema.ts';

/** Schema of `SDKFilesPersistedEvent`. */
export const filesPersistedEvent = lazy(() =>
  systemMessage('files_persisted', {
    files: array(object({ filename: string, file_id: string })),
    failed: array(object({ filename: string, error: string })),
    processed_at: string,
  }),
);

/** Files were uploaded. */
export type SDKFilesPersistedEvent = Infer<typeof filesPersistedEvent>;

/** Schema of `SDKMemoryRecallMessage`. */
export const memoryRecallMessage = lazy(() =>
  systemMessage('memory_recall', {
    mode: openEnum(['select', 'synthesize']),
    memories: array(
      object({
        path: string,
        scope: openEnum(['personal', 'team', 'organization']),
        content: optional(string),
      }),
    ),
  }),
);

/** Memories were brought into the context. */
export type SDKMemoryRecallMessage = Infer<typeof memoryRecallMessage>;
