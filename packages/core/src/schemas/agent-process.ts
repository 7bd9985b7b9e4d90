import * as z from 'zod/mini';
import { agentMessage } from './message-members.ts';
import { openObject, protocol } from './open.ts';

export const keepAliveMessage = openObject({
  type: z.literal('keep_alive'),
  // Seen, not declared.
  startup_mark: z.optional(z.string()),
}).register(protocol, { id: 'SDKKeepAliveMessage', description: 'A sign of life; carries nothing to act on.' });

export const updateEnvironmentVariablesMessage = openObject({
  type: z.literal('update_environment_variables'),
  variables: z.record(z.string(), z.string()).check(z.describe('Values by name; the published agent takes few names, and drops all others without a word.')),
}).register(protocol, {
  id: 'SDKUpdateEnvironmentVariablesMessage',
  description: 'Environment variables the agent shall use from now on. Seen, not declared.',
});

export const authStatusMessage = agentMessage('auth_status', {
  isAuthenticating: z.boolean(),
  output: z.array(z.string()).check(z.describe('Lines of text on how the login goes.')),
  error: z.optional(z.string()),
}).register(protocol, { id: 'SDKAuthStatusMessage', description: 'How a login is going.' });

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
