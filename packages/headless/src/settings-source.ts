import type { JsonObject } from './options.ts';

/** Where an agent's settings come from; the runner reads nothing of them but `fastMode`. */
export interface SettingsSource {
  /** Fetches them. Begins beside the set-up; the session begins behind both. What it rejects with ends the start. */
  load?(): Promise<void>;
  /** As they are now: asked anew for each turn, so that changes take effect during a session. */
  current(): JsonObject;
}

/** What a turn announces of the settings: whether the fast mode is on, where they say so. */
export function announcedOf(settings: JsonObject): { fast_mode_state?: 'on' | 'off' } {
  const { fastMode } = settings;
  return typeof fastMode === 'boolean' ? { fast_mode_state: fastMode ? 'on' : 'off' } : {};
}
