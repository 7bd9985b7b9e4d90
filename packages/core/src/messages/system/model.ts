import * as z from 'zod/mini';

import { systemMessage } from '../agent-message.ts';
import { assistantError } from '../assistant.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Schema of `SDKAPIRetryMessage`. */
export const apiRetryMessage = lazy(() =>
  systemMessage('api_retry', {
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.nullable(z.number()),
    error: assistantError(),
    no_response: optional(object({ waited_ms: z.number(), retry_wait_ms: z.number() })),
  }),
);

/** A call of the model API failed and is tried again. */
export type SDKAPIRetryMessage = Infer<typeof apiRetryMessage>;

/** Schema of `SDKModelRefusalFallbackMessage`. */
export const modelRefusalFallbackMessage = lazy(() =>
  systemMessage('model_refusal_fallback', {
    trigger: openEnum(['refusal']),
    direction: openEnum(['retry', 'revert', 'sticky']),
    scope: optional(openEnum(['session', 'local'])),
    original_model: z.string(),
    fallback_model: z.string(),
    request_id: z.nullable(z.string()),
    api_refusal_category: optional(z.nullable(z.string())),
    api_refusal_explanation: optional(z.nullable(z.string())),
    retracted_message_uuids: optional(z.array(z.string())),
    refused_user_message_uuid: optional(z.nullable(z.string())),
    content: z.string(),
  }),
);

/** A model refused, and another one was asked. */
export type SDKModelRefusalFallbackMessage = Infer<typeof modelRefusalFallbackMessage>;

/** Schema of `SDKModelRefusalNoFallbackMessage`. */
export const modelRefusalNoFallbackMessage = lazy(() =>
  systemMessage('model_refusal_no_fallback', {
    original_model: z.string(),
    request_id: z.nullable(z.string()),
    api_refusal_category: optional(z.nullable(z.string())),
    api_refusal_explanation: optional(z.nullable(z.string())),
    refused_user_message_uuid: optional(z.nullable(z.string())),
    content: z.string(),
  }),
);

/** A model refused, and no other one was asked. */
export type SDKModelRefusalNoFallbackMessage = Infer<typeof modelRefusalNoFallbackMessage>;

/** Schema of `SDKModelFallbackMessage`. */
export const modelFallbackMessage = lazy(() =>
  systemMessage('model_fallback', {
    trigger: openEnum(['overloaded', 'server_error', 'last_resort', 'model_not_found', 'permission_denied']),
    original_model: optional(z.string()),
    fallback_model: optional(z.string()),
    content: optional(z.string()),
  }),
);

/** A model could not serve, and another one took over. Seen, not declared. */
export type SDKModelFallbackMessage = Infer<typeof modelFallbackMessage>;
