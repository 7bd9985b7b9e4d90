import * as z from 'zod/mini';

import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `SessionStoreEntry`. */
export const sessionStoreEntry = lazy(() =>
  object({ type: z.string(), uuid: optional(z.string()), timestamp: optional(z.string()) }),
);

/** One entry of a transcript file, passed on as it is. */
export type SessionStoreEntry = Infer<typeof sessionStoreEntry>;

/** Schema of `SDKTranscriptMirrorMessage`. */
export const transcriptMirrorMessage = lazy(() =>
  object({ type: z.literal('transcript_mirror'), filePath: z.string(), entries: z.array(sessionStoreEntry()) }),
);

/** Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`. */
export type SDKTranscriptMirrorMessage = Infer<typeof transcriptMirrorMessage>;
