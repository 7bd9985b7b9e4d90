import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const workerShuttingDownMessage = systemMessage('worker_shutting_down', {
  reason: z.string().check(z.describe('Why the worker leaves, as a code in `snake_case`.')),
}).register(protocol, { id: 'SDKWorkerShuttingDownMessage', description: 'A remote worker leaves in good order. That none came proves nothing.' });

export const sessionWritesLostMessage = systemMessage('session_writes_lost', {
  error_code: openEnum(['ENOSPC', 'EDQUOT']).check(
    z.describe('The code of the operating system: `ENOSPC` for a full disk, `EDQUOT` for a quota that is used up.'),
  ),
  lost: z.array(openEnum(['transcript', 'global_config'])),
  transcript_session_ids: z.optional(z.array(z.string())),
}).register(protocol, { id: 'SDKSessionWritesLostMessage', description: 'The disk was full: parts of the session were not saved.' });

export const mirrorErrorMessage = systemMessage('mirror_error', {
  error: z.string(),
  key: openObject({ projectKey: z.string(), sessionId: z.string(), subpath: z.optional(z.string()) }).check(
    z.describe('Where in the store the entries belong.'),
  ),
}).register(protocol, {
  id: 'SDKMirrorErrorMessage',
  description: 'The session store of a host failed to append. Made by host libraries, never sent by an agent.',
});

export const sessionTitleChangedMessage = systemMessage('session_title_changed', { title: z.string() }).register(protocol, {
  id: 'SDKSessionTitleChangedMessage',
  description: 'The session has another title. Seen, not declared.',
});

export const uiInvalidateMessage = systemMessage('ui_invalidate', { event: z.string() }).register(protocol, {
  id: 'SDKUiInvalidateMessage',
  description: 'Something a user interface shows is out of date. Seen, not declared.',
});
