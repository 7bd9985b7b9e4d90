import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseConfig, RepeatedNameError } from '@proto/core/internal';
import type { HeadlessOptions, JsonObject } from './options.ts';

/** The source of an agent's settings. `runHeadless` itself reads only `fastMode` and `fastModePerSessionOptIn`. */
export interface SettingsSource {
  /**
   * Loads the settings while `setUp` runs. The session begins when the settings are loaded and `setUp` has finished. If `load` rejects, the process
   * exits with 1.
   */
  load?(): Promise<void>;
  /** Returns the current settings. Called for each turn and each time a turn reads `settings`, so that changes take effect during a session. */
  current(): JsonObject;
}

/** The settings in the answer to `initialize` and in each turn. The only such setting is whether fast mode is on. */
export function announcedOf(settings: JsonObject): { fast_mode_state?: 'on' | 'off' } {
  const { fastMode, fastModePerSessionOptIn } = settings;
  if (typeof fastMode !== 'boolean') return {};
  // With `fastModePerSessionOptIn`, each session must turn on fast mode itself, so the stored setting is ignored.
  return { fast_mode_state: fastMode && fastModePerSessionOptIn !== true ? 'on' : 'off' };
}

/** Rejects if the file does not contain settings. */
export async function withSettings(options: HeadlessOptions, cwd: string): Promise<HeadlessOptions> {
  const { settings } = options;
  return typeof settings === 'string' ? { ...options, settings: await settingsIn(resolve(cwd, settings)) } : options;
}

async function settingsIn(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--settings: the file cannot be read: ${path} (${error.code})`);
  });
  const value = parsed(text, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`--settings: the file does not contain a JSON object: ${path}`);
  }
  return value as JsonObject;
}

function parsed(text: string, path: string): unknown {
  try {
    return parseConfig(text);
  } catch (cause) {
    if (cause instanceof RepeatedNameError) throw new Error(`--settings: ${path}: ${cause.message}`, { cause });
    return undefined;
  }
}
