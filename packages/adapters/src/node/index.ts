export { runBackend, spawnBackend, type SpawnBackendOptions } from './spawn-backend.ts';
