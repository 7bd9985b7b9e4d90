export { DEFAULT_MAX_ACTION_BYTES } from './server/inspector-app.ts';
export { DEFAULT_INSPECTOR_PORT, type InspectorServer, serveInspector } from './server/inspector-server.ts';
export { type InspectedSessions, type ListedSession, oneSession } from './server/inspected-sessions.ts';
export { type MountedInspector, mountInspector, type MountedInspectorOptions } from './server/mounted-inspector.ts';
export { BridgedSession } from './sessions/bridged-session.ts';
export { FileSession } from './sessions/file-session.ts';
export { DEFAULT_MAX_SPOOL_BYTES } from './sessions/spool.ts';
export { ServerSessions, type ServerSessionsOptions } from './sessions/server-sessions.ts';
