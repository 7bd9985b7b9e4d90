import { systemMessage } from '../agent-message.ts';
import { assistantError } from '../assistant.ts';
import { object, optional } from '../object-schema.ts';
import { array, type Infer, lazy, nullable, number, openEnum, string } from '../schema.ts';

/** Schema of `SDKAPIRetryMessage`. */
export const apiRetryMessage = lazy(() =>
  systemMessage('api_retry', {
    attempt: number,
    max_retries: number,
    retry_delay_ms: number,
    error_status: nullable(number),
    error: assistantError,
    no_response: optional(object({ waited_ms: number, retry_wait_ms: number })),
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
    original_model: string,
    fallback_model: string,
    request_id: nullable(string),
    api_refusal_category: optional(nullable(string)),
    api_refusal_explanation: optional(nullable(string)),
    retracted_message_uuids: optional(array(string)),
    refused_user_message_uuid: optional(nullable(string)),
    content: string,
  }),
);

/** A model refused, and another one was asked. */
export type SDKModelRefusalFallbackMessage = Infer<typeof modelRefusalFallbackMessage>;

/** Schema of `SDKModelRefusalNoFallbackMessage`. */
export const modelRefusalNoFallbackMessage = lazy(() =>
  systemMessage('model_refusal_no_fallback', {
    original_model: string,
    request_id: nullable(string),
    api_refusal_category: optional(nullable(string)),
    api_refusal_explanation: optional(nullable(string)),
    refused_user_message_uuid: optional(nullable(string)),
    content: string,
  }),
);

/** A model refused, and no other one was asked. */
export type SDKModelRefusalNoFallbackMessage = Infer<typeof modelRefusalNoFallbackMessage>;

/** Schema of `SDKModelFallbackMessage`. */
export const modelFallbackMessage = lazy(() =>
  systemMessage('model_fallback', {
    trigger: openEnum(['overloaded', 'server_error', 'last_resort', 'model_not_found', 'permission_denied']),
    original_model: optional(string),
    fallback_model: optional(string),
    content: optional(string),
  }),
);

/** A model could not serve, and another one took over. Seen, not declared. */
export type SDKModelFallbackMessage = Infer<typeof modelFallbackMessage>;
