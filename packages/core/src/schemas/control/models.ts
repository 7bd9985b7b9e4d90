import * as z from 'zod/mini';
import { modelInfo } from './capabilities.ts';
import { openEnum, protocol } from '../open.ts';

/** Requests about the model. */
export const modelRequests = {
  set_model: z
    .looseObject({
      subtype: z.literal('set_model'),
      model: z.optional(z.nullable(z.string())).check(z.describe('An alias or an id: the `value` of one of the models that may be chosen.')),
    })
    .register(protocol, {
      id: 'SDKControlSetModelRequest',
      description: 'Chooses the model of the turns to come; none, `null` or `default` goes back to the first one.',
    }),
  set_max_thinking_tokens: z
    .looseObject({
      subtype: z.literal('set_max_thinking_tokens'),
      max_thinking_tokens: z
        .optional(z.nullable(z.number()))
        .check(z.describe('Null is the default of the session; where it is absent the limit stays as it is.')),
      thinking_display: z.optional(z.nullable(openEnum(['summarized', 'omitted', 'highlights']))),
    })
    .register(protocol, { id: 'SDKControlSetMaxThinkingTokensRequest', description: 'Limits the thinking; `null` goes back to the default.' }),
  list_models: z
    .looseObject({ subtype: z.literal('list_models') })
    .register(protocol, { id: 'SDKControlListModelsRequest', description: 'Asks which models may be chosen.' }),
};

/** The payloads of their answers. */
export const modelResponses = {
  set_model: z
    .looseObject({ model: z.optional(z.nullable(z.string())).check(z.describe('The id of the model, whatever name it was asked for by.')) })
    .register(protocol, { id: 'SDKControlSetModelResponse', description: 'The model that is used from now on.' }),
  set_max_thinking_tokens: z.looseObject({}),
  list_models: z
    .looseObject({ models: z.optional(z.array(modelInfo)) })
    .register(protocol, { id: 'SDKControlListModelsResponse', description: 'The models that may be chosen.' }),
};
