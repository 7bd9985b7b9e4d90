import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';
import { modelInfo } from './capabilities.ts';

export const settingsParseError = openObject({ file: z.optional(z.string()), path: z.string(), message: z.string() }).register(protocol, {
  id: 'SDKSettingsParseError',
  description: 'What is wrong with a file of settings.',
});

/** Requests about settings. */
export const settingsRequests = {
  apply_flag_settings: requestOf('apply_flag_settings', {
    settings: z.record(z.string(), z.unknown()).check(z.describe('Settings by name; each replaces the one of that name as a whole.')),
  }).register(protocol, { id: 'SDKControlApplyFlagSettingsRequest', description: 'Merges settings over those of the command line; `null` clears one.' }),
  get_settings: requestOf('get_settings', {}).register(protocol, { id: 'SDKControlGetSettingsRequest', description: 'Asks which settings hold.' }),
  update_settings: requestOf('update_settings', {
    source: openEnum(['localSettings', 'userSettings']).check(
      z.describe('Which file of settings to write: that of the user in this project, or that of the user everywhere.'),
    ),
    settings: z
      .record(z.string(), z.unknown())
      .check(z.describe('Texts by name: `outputStyle` for `localSettings`, `effortLevel` for `userSettings`; all else is refused.')),
  }).register(protocol, { id: 'SDKControlUpdateSettingsRequest', description: 'Writes one of the few settings that a host may write.' }),
};

/** The payloads of their answers. */
export const settingsResponses = {
  apply_flag_settings: openObject({}),
  get_settings: openObject({
    effective: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The settings that hold, from all sources together.')),
    sources: z.optional(z.array(z.unknown())).check(z.describe('The settings of each source by itself.')),
    applied: z.optional(z.record(z.string(), z.unknown())).check(z.describe('What the session really runs with, such as its model.')),
    served_settings_state: z.optional(z.string()),
  }).register(protocol, { id: 'SDKControlGetSettingsResponse', description: 'The settings that hold, and where they come from.' }),
  update_settings: openObject({}),
};

/** Requests about the model. */
export const modelRequests = {
  set_model: requestOf('set_model', {
    model: z.optional(z.nullable(z.string())).check(z.describe('An alias or an id: the `value` of one of the models that may be chosen.')),
  }).register(protocol, {
    id: 'SDKControlSetModelRequest',
    description: 'Chooses the model of the turns to come; none, `null` or `default` goes back to the first one.',
  }),
  set_max_thinking_tokens: requestOf('set_max_thinking_tokens', {
    max_thinking_tokens: z.optional(z.nullable(z.number())).check(z.describe('Null is the default of the session; without it the limit stays as it is.')),
    thinking_display: z.optional(z.nullable(openEnum(['summarized', 'omitted', 'highlights']))),
  }).register(protocol, { id: 'SDKControlSetMaxThinkingTokensRequest', description: 'Limits the thinking; `null` goes back to the default.' }),
  list_models: requestOf('list_models', {}).register(protocol, { id: 'SDKControlListModelsRequest', description: 'Asks which models may be chosen.' }),
};

/** The payloads of their answers. */
export const modelResponses = {
  set_model: openObject({ model: z.optional(z.nullable(z.string())).check(z.describe('The id of the model, whatever name it was asked for by.')) }).register(
    protocol,
    { id: 'SDKControlSetModelResponse', description: 'The model that is used from now on.' },
  ),
  set_max_thinking_tokens: openObject({}),
  list_models: openObject({ models: z.optional(z.array(modelInfo)) }).register(protocol, {
    id: 'SDKControlListModelsResponse',
    description: 'The models that may be chosen.',
  }),
};
