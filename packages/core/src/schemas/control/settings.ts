import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { modelInfo } from './capabilities.ts';

export const settingsParseError = openObject({ file: z.optional(z.string()), path: z.string(), message: z.string() }).register(protocol, {
  id: 'SDKSettingsParseError',
  description: 'An error in a settings file.',
});

/** Requests about settings. */
export const settingsRequests = {
  apply_flag_settings: requestOf('apply_flag_settings', {
    settings: z.record(z.string(), z.unknown()).check(z.describe('Settings by name. Each value replaces the whole setting.')),
  }).register(protocol, {
    id: 'SDKControlApplyFlagSettingsRequest',
    description: 'Changes the settings given on the command line, or adds to them. The value `null` clears a setting.',
  }),
  get_settings: requestOf('get_settings', {}).register(protocol, { id: 'SDKControlGetSettingsRequest', description: 'Asks for the settings in effect.' }),
  update_settings: requestOf('update_settings', {
    source: openEnum(['localSettings', 'userSettings']).check(
      z.describe("The settings file to write: the user's settings for this project (`localSettings`) or for all projects (`userSettings`)."),
    ),
    settings: z
      .record(z.string(), z.unknown())
      .check(
        z.describe(
          'Settings by name, with strings as values. Only `outputStyle` is accepted for `localSettings`, and only `effortLevel` for `userSettings`. Any other setting is refused.',
        ),
      ),
  }).register(protocol, { id: 'SDKControlUpdateSettingsRequest', description: 'Writes one of the few settings that a host may change.' }),
};

/** The payloads of the answers to these requests. */
export const settingsResponses = {
  apply_flag_settings: openObject({}),
  get_settings: openObject({
    effective: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The settings in effect, from all sources together.')),
    sources: z.optional(z.array(z.unknown())).check(z.describe('The settings of each source separately.')),
    applied: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The values that the session actually uses, such as its model.')),
    served_settings_state: z.optional(z.string()),
  }).register(protocol, { id: 'SDKControlGetSettingsResponse', description: 'The settings in effect, and their sources.' }),
  update_settings: openObject({}),
};

/** Requests about the model. */
export const modelRequests = {
  set_model: requestOf('set_model', {
    model: z.optional(z.nullable(z.string())).check(z.describe('An alias or an id, taken from the `value` of one of the models that the agent offers.')),
  }).register(protocol, {
    id: 'SDKControlSetModelRequest',
    description: 'Chooses the model for the following turns. If `model` is `null`, `default` or absent, the choice is reset.',
  }),
  set_max_thinking_tokens: requestOf('set_max_thinking_tokens', {
    max_thinking_tokens: z
      .optional(z.nullable(z.number()))
      .check(z.describe("The limit in tokens. `null` means the session's default. If absent, the limit does not change.")),
    thinking_display: z.optional(z.nullable(openEnum(['summarized', 'omitted', 'highlights']))),
  }).register(protocol, { id: 'SDKControlSetMaxThinkingTokensRequest', description: "Limits the model's thinking. `null` restores the default limit." }),
  list_models: requestOf('list_models', {}).register(protocol, { id: 'SDKControlListModelsRequest', description: 'Asks which models the host may choose.' }),
};

/** The payloads of the answers to these requests. */
export const modelResponses = {
  set_model: openObject({ model: z.optional(z.nullable(z.string())).check(z.describe('The id of the model, even if the request named an alias.')) }).register(
    protocol,
    { id: 'SDKControlSetModelResponse', description: 'The model that is used from now on.' },
  ),
  set_max_thinking_tokens: openObject({}),
  list_models: openObject({ models: z.optional(z.array(modelInfo)) }).register(protocol, {
    id: 'SDKControlListModelsResponse',
    description: 'The models that the host may choose.',
  }),
};
