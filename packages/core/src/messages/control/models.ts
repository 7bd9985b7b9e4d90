import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, literal, nullable, number, openEnum, string } from '../schema.ts';
import { modelInfo } from './capabilities.ts';

/** Requests about the model. */
export const modelRequests = {
  set_model: lazy(() => object({ subtype: literal('set_model'), model: optional(nullable(string)) })),
  set_max_thinking_tokens: lazy(() =>
    object({
      subtype: literal('set_max_thinking_tokens'),
      max_thinking_tokens: optional(nullable(number)),
      thinking_display: optional(nullable(openEnum(['summarized', 'omitted', 'highlights']))),
    }),
  ),
  list_models: lazy(() => object({ subtype: literal('list_models') })),
};

/** Chooses the model of the turns to come; none, `null` or `default` goes back to the first one. */
export type SDKControlSetModelRequest = Infer<typeof modelRequests.set_model>;

/** Limits the thinking; `null` goes back to the default. */
export type SDKControlSetMaxThinkingTokensRequest = Infer<typeof modelRequests.set_max_thinking_tokens>;

/** Asks which models may be chosen. */
export type SDKControlListModelsRequest = Infer<typeof modelRequests.list_models>;

/** The payloads of their answers. */
export const modelResponses = {
  set_model: lazy(() => object({ model: optional(nullable(string)) })),
  set_max_thinking_tokens: lazy(() => object({})),
  list_models: lazy(() => object({ models: optional(array(modelInfo)) })),
};

/** The model that is used from now on. */
export type SDKControlSetModelResponse = Infer<typeof modelResponses.set_model>;

/** The models that may be chosen. */
export type SDKControlListModelsResponse = Infer<typeof modelResponses.list_models>;
