import { systemMessage } from '../agent-message.ts';
import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, openEnum, string } from '../schema.ts';

/** Schema of `SDKWorkerShuttingDownMessage`. */
export const workerShuttingDownMessage = lazy(() =>
  systemMessage('worker_shutting_down', {
    reason: string,
  }),
);

/** A remote worker leaves in good order. That none came proves nothing. */
export type SDKWorkerShuttingDownMessage = Infer<typeof workerShuttingDownMessage>;

/** Schema of `SDKSessionWritesLostMessage`. */
export const sessionWritesLostMessage = lazy(() =>
  systemMessage('session_writes_lost', {
    error_code: openEnum(['ENOSPC', 'EDQUOT']),
    lost: array(openEnum(['transcript', 'global_config'])),
    transcript_session_ids: optional(array(string)),
  }),
);

/** The disk was full: parts of the session were not saved. */
export type SDKSessionWritesLostMessage = Infer<typeof sessionWritesLostMessage>;

/** Schema of `SDKMirrorErrorMessage`. */
export const mirrorErrorMessage = lazy(() =>
  systemMessage('mirror_error', {
    error: string,
    key: object({ projectKey: string, sessionId: string, subpath: optional(string) }),
  }),
);

/** The session store of a host failed to append. Made by host libraries, never sent by an agent. */
export type SDKMirrorErrorMessage = Infer<typeof mirrorErrorMessage>;

/** Schema of `SDKSessionTitleChangedMessage`. */
export const sessionTitleChangedMessage = lazy(() => systemMessage('session_title_changed', { title: string }));

/** The session has another title. Seen, not declared. */
export type SDKSessionTitleChangedMessage = Infer<typeof sessionTitleChangedMessage>;

/** Schema of `SDKUiInvalidateMessage`. */
export const uiInvalidateMessage = lazy(() => systemMessage('ui_invalidate', { event: string }));

/** Something a user interface shows is out of date. Seen, not declared. */
export type SDKUiInvalidateMessage = Infer<typeof uiInvalidateMessage>;
