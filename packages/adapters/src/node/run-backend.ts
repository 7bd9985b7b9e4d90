import type { SessionResult } from '../agent-event.ts';
import type { AgentBackend, RunOptions } from '../backend.ts';
import { dispatch, type StreamHandler } from '../dispatch.ts';
import { type SpawnBackendOptions, spawnBackend } from './spawn-backend.ts';

/** Runs a backend for one prompt and calls a handler for each of its events; gives how it ended, when the program has left. */
export function runBackend(
  backend: AgentBackend,
  options: RunOptions,
  handler: StreamHandler = {},
  spawning: SpawnBackendOptions = {},
): Promise<SessionResult> {
  return dispatch(spawnBackend(backend, options, spawning), handler);
}
