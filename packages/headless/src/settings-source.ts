import type { JsonObject } from './options.ts';

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
