import * as z from 'zod/mini';
import { protocol } from './open.ts';

export const sessionStoreEntry = z
  .looseObject({ type: z.string(), uuid: z.optional(z.string()), timestamp: z.optional(z.string()) })
  .register(protocol, { id: 'SessionStoreEntry', description: 'One entry of a transcript file, passed on as it is.' });

export const transcriptMirrorMessage = z
  .looseObject({ type: z.literal('transcript_mirror'), filePath: z.string(), entries: z.array(sessionStoreEntry) })
  .register(protocol, {
    id: 'SDKTranscriptMirrorMessage',
    description:
      'Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`.',
  });
