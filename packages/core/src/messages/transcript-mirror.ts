import { object, optional } from './object-schema.ts';
import { array, type Infer, lazy, literal, string } from './schema.ts';

/** Schema of `SessionStoreEntry`. */
export const sessionStoreEntry = lazy(() =>
  object({ type: string, uuid: optional(string), timestamp: optional(string) }),
);

/** One entry of a transcript file, passed on as it is. */
export type SessionStoreEntry = Infer<typeof sessionStoreEntry>;

/** Schema of `SDKTranscriptMirrorMessage`. */
export const transcriptMirrorMessage = lazy(() =>
  object({ type: literal('transcript_mirror'), filePath: string, entries: array(sessionStoreEntry) }),
);

/** Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`. */
export type SDKTranscriptMirrorMessage = Infer<typeof transcriptMirrorMessage>;
