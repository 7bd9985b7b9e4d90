export { isLoopback } from './loopback.ts';
export { openSession, type OpenedSession, type OpenSessionOptions } from './open-session.ts';
export { openViewer, type OpenViewerOptions } from './open-viewer.ts';
export { createOwnTurns, type OwnTurns } from './own-turns.ts';
export { type LinkKind, parseSessionAddress, type SessionAddress, sessionUrl } from './session-address.ts';
export { SessionError, type SessionErrorCode, type SessionErrorDetails } from './session-error.ts';
export { withCancels } from './with-cancels.ts';
