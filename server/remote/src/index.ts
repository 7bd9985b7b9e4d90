export {
  askForToken,
  type ListedSession,
  listSessions,
  type ListSessionsOptions,
  openSession,
  type OpenedSession,
  type OpenSessionOptions,
  type PresentToken,
  type SessionPage,
} from './open-session.ts';
export { openViewer, type OpenViewerOptions, withCancels } from './open-viewer.ts';
export { createOwnTurns, type OwnTurns } from './own-turns.ts';
export { isLoopback, type LinkKind, parseSessionAddress, type SessionAddress, sessionUrl } from './session-address.ts';
export {
  type EventsAfter,
  type Places,
  serverSessions,
  type SessionFacts,
  type SessionSource,
} from './server-sessions.ts';
export { allSessions, type EventsOutput, exportEvents, tailEvents } from './session-events.ts';
export { SessionError, type SessionErrorCode, toSessionError } from './session-error.ts';
