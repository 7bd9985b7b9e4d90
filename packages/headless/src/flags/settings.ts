import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { HeadlessOptions, JsonObject } from './options.ts';

/** Where an agent's settings come from; the runner reads nothing of them but `fastMode` and `fastModePerSessionOptIn`. */
export interface SettingsSource {
  /** Fetches them. Begins beside the set-up; the session begins behind both. What it rejects with ends the start. */
  load?(): Promise<void>;
  /** As they are now: asked anew for each turn and whenever it looks at them, so that changes take effect during a session. */
  current(): JsonObject;
}

/** What the answer to `initialize` and each turn announce of the settings: whether the fast mode is on, where they speak of it. */
export function announcedOf(settings: JsonObject): { fast_mode_state?: 'on' | 'off' } {
  const { fastMode, fastModePerSessionOptIn } = settings;
  if (typeof fastMode !== 'boolean') return {};
  // Where each session has to ask for it, what is kept for all of them asks for none.
  return { fast_mode_state: fastMode && fastModePerSessionOptIn !== true ? 'on' : 'off' };
}

/** The options with the settings of the command line in place of the path of their file. Rejects for a file that holds none. */
export async function withSettings(options: HeadlessOptions, cwd: string): Promise<HeadlessOptions> {
  const { settings } = options;
  return typeof settings === 'string' ? { ...options, settings: await settingsIn(resolve(cwd, settings)) } : options;
}

async function settingsIn(path: string): Promise<JsonObject> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`--settings: the file cannot be read: ${path} (${error.code})`);
  });
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`--settings: the file holds no JSON object: ${path}`);
  }
  return value as JsonObject;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
