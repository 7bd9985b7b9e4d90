export { inspect, type InspectOptions, type RunningInspector } from './inspect/inspect.ts';
export { type MountedInspector, mountInspector, type MountedInspectorOptions } from './server/mounted-inspector.ts';
