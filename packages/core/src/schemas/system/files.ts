import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const filesPersistedEvent = systemMessage('files_persisted', {
  files: z.array(openObject({ filename: z.string(), file_id: z.string() })),
  failed: z.array(openObject({ filename: z.string(), error: z.string() })),
  processed_at: z.string(),
}).register(protocol, { id: 'SDKFilesPersistedEvent', description: 'Files were uploaded.' });

export const memoryRecallMessage = systemMessage('memory_recall', {
  mode: openEnum(['select', 'synthesize']),
  memories: z.array(openObject({ path: z.string(), scope: openEnum(['personal', 'team', 'organization']), content: z.optional(z.string()) })),
}).register(protocol, { id: 'SDKMemoryRecallMessage', description: 'Memories were brought into the context.' });
