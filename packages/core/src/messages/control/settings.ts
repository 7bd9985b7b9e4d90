import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, literal, openEnum, record, string, unknown } from '../schema.ts';

/** Schema of `SDKSettingsParseError`. */
export const settingsParseError = lazy(() => object({ file: optional(string), path: string, message: string }));

/** What is wrong with a file of settings. */
export type SDKSettingsParseError = Infer<typeof settingsParseError>;

/** Requests about settings. */
export const settingsRequests = {
  apply_flag_settings: lazy(() => object({ subtype: literal('apply_flag_settings'), settings: record(unknown) })),
  get_settings: lazy(() => object({ subtype: literal('get_settings') })),
  update_settings: lazy(() =>
    object({
      subtype: literal('update_settings'),
      source: openEnum(['localSettings', 'userSettings']),
      settings: record(unknown),
    }),
  ),
};

/** Merges settings over those of the command line; `null` clears one. */
export type SDKControlApplyFlagSettingsRequest = Infer<typeof settingsRequests.apply_flag_settings>;

/** Asks which settings hold. */
export type SDKControlGetSettingsRequest = Infer<typeof settingsRequests.get_settings>;

/** Writes one of the few settings that a host may write. */
export type SDKControlUpdateSettingsRequest = Infer<typeof settingsRequests.update_settings>;

/** The payloads of their answers. */
export const settingsResponses = {
  apply_flag_settings: lazy(() => object({})),
  get_settings: lazy(() =>
    object({
      effective: optional(record(unknown)),
      sources: optional(array(unknown)),
      applied: optional(record(unknown)),
      served_settings_state: optional(string),
    }),
  ),
  update_settings: lazy(() => object({})),
};

/** The settings that hold, and where they come from. */
export type SDKControlGetSettingsResponse = Infer<typeof settingsResponses.get_settings>;
