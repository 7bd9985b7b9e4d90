import * as z from 'zod/mini';
import { requestOf } from './request.ts';
import { modelInfo } from './capabilities.ts';
import { openEnum, openObject, protocol } from '../open.ts';

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
