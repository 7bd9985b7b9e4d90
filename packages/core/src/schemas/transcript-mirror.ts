import * as z from 'zod/mini';
import { openObject, protocol } from './open.ts';

export const sessionStoreEntry = openObject({
  type: z.string().check(z.describe('The kind of the entry, such as `user`, `assistant` or `attachment`.')),
  uuid: z.optional(z.string()).check(z.describe('By this a later entry names the one it follows; entries that are mere bookkeeping have none.')),
  timestamp: z.optional(z.string()).check(z.describe('When the entry was made, in ISO 8601.')),
}).register(protocol, { id: 'SessionStoreEntry', description: 'One entry of a transcript file, passed on as it is.' });

export const transcriptMirrorMessage = openObject({
  type: z.literal('transcript_mirror'),
  filePath: z.string().check(z.describe('The path of the session file; hosts take the key in their store from it.')),
  entries: z.array(sessionStoreEntry).check(z.describe('What is appended to that file, in its order.')),
}).register(protocol, {
  id: 'SDKTranscriptMirrorMessage',
  description: 'Entries for a session store of the host. Seen, not declared; carries neither `uuid` nor `session_id`.',
});
