export { inspect, type InspectOptions, type RunningInspector } from './inspect/inspect.ts';
export { DEFAULT_MAX_ACTION_BYTES } from './server/inspector-app.ts';
export { type MountedInspector, mountInspector, type MountedInspectorOptions } from './server/mounted-inspector.ts';
export { DEFAULT_MAX_SPOOL_BYTES } from './sessions/spool.ts';
