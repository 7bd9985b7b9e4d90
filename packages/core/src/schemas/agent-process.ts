import * as z from 'zod/mini';
import { agentMessage } from './message-members.ts';
import { openObject, protocol } from './open.ts';

export const keepAliveMessage = openObject({
  type: z.literal('keep_alive'),
  // Seen on the wire, not declared by the published SDK.
  startup_mark: z.optional(z.string()),
}).register(protocol, { id: 'SDKKeepAliveMessage', description: 'Shows that the sender is alive. Receivers ignore this message.' });

export const updateEnvironmentVariablesMessage = openObject({
  type: z.literal('update_environment_variables'),
  variables: z
    .record(z.string(), z.string())
    .check(
      z.describe('The new value of each variable, by the name of the variable. The published agent accepts only a few names, and silently ignores all others.'),
    ),
}).register(protocol, {
  id: 'SDKUpdateEnvironmentVariablesMessage',
  description: 'Environment variables that the agent must set and use from now on. Seen on the wire, not declared by the published SDK.',
});

export const authStatusMessage = agentMessage('auth_status', {
  isAuthenticating: z.boolean(),
  output: z.array(z.string()).check(z.describe('Lines of text about the progress of the login.')),
  error: z.optional(z.string()),
}).register(protocol, { id: 'SDKAuthStatusMessage', description: 'The progress of a login.' });

export const sessionStoreEntry = openObject({
  type: z.string().check(z.describe('The kind of the entry, such as `user`, `assistant` or `attachment`.')),
  uuid: z
    .optional(z.string())
    .check(
      z.describe('The id of the entry. A later entry uses this id to name the entry that it follows. Entries that are only used for bookkeeping have no id.'),
    ),
  timestamp: z.optional(z.string()).check(z.describe('When the entry was made, in ISO 8601.')),
}).register(protocol, { id: 'SessionStoreEntry', description: 'One entry of a transcript file, passed on unchanged.' });

export const transcriptMirrorMessage = openObject({
  type: z.literal('transcript_mirror'),
  filePath: z.string().check(z.describe('The path of the session file. Hosts derive the key in their session store from this path.')),
  entries: z.array(sessionStoreEntry).check(z.describe('The entries that the agent appends to the session file, in order.')),
}).register(protocol, {
  id: 'SDKTranscriptMirrorMessage',
  description:
    "Entries to append to the host's session store. This message has neither `uuid` nor `session_id`. Seen on the wire, not declared by the published SDK.",
});
