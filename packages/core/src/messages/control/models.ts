import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';
import { modelInfo } from './capabilities.ts';

/** Requests about the model. */
export const modelRequests = {
  set_model: lazy(() => object({ subtype: z.literal('set_model'), model: optional(z.nullable(z.string())) })),
  set_max_thinking_tokens: lazy(() =>
    object({
      subtype: z.literal('set_max_thinking_tokens'),
      max_thinking_tokens: optional(z.nullable(z.number())),
      thinking_display: optional(z.nullable(openEnum(['summarized', 'omitted', 'highlights']))),
    }),
  ),
  list_models: lazy(() => object({ subtype: z.literal('list_models') })),
};

/** Chooses the model of the turns to come; none, `null` or `default` goes back to the first one. */
export type SDKControlSetModelRequest = Infer<typeof modelRequests.set_model>;

/** Limits the thinking; `null` goes back to the default. */
export type SDKControlSetMaxThinkingTokensRequest = Infer<typeof modelRequests.set_max_thinking_tokens>;

/** Asks which models may be chosen. */
export type SDKControlListModelsRequest = Infer<typeof modelRequests.list_models>;

/** The payloads of their answers. */
export const modelResponses = {
  set_model: lazy(() => object({ model: optional(z.nullable(z.string())) })),
  set_max_thinking_tokens: lazy(() => object({})),
  list_models: lazy(() => object({ models: optional(z.array(modelInfo())) })),
};

/** The model that is used from now on. */
export type SDKControlSetModelResponse = Infer<typeof modelResponses.set_model>;

/** The models that may be chosen. */
export type SDKControlListModelsResponse = Infer<typeof modelResponses.list_models>;
