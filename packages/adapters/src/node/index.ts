export { runBackend } from './run-backend.ts';
export { type SpawnBackendOptions, spawnBackend } from './spawn-backend.ts';
