import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { assistantError } from '../assistant.ts';
import { openEnum, protocol } from '../open.ts';

export const apiRetryMessage = systemMessage('api_retry', {
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number(),
  error_status: z.nullable(z.number()),
  error: assistantError,
  no_response: z.optional(z.looseObject({ waited_ms: z.number(), retry_wait_ms: z.number() })),
}).register(protocol, { id: 'SDKAPIRetryMessage', description: 'A call of the model API failed and is tried again.' });

export const modelRefusalFallbackMessage = systemMessage('model_refusal_fallback', {
  trigger: openEnum(['refusal']),
  direction: openEnum(['retry', 'revert', 'sticky']),
  scope: z.optional(openEnum(['session', 'local'])),
  original_model: z.string(),
  fallback_model: z.string(),
  request_id: z.nullable(z.string()),
  api_refusal_category: z.optional(z.nullable(z.string())),
  api_refusal_explanation: z.optional(z.nullable(z.string())),
  retracted_message_uuids: z.optional(z.array(z.string())),
  refused_user_message_uuid: z.optional(z.nullable(z.string())),
  content: z.string(),
}).register(protocol, {
  id: 'SDKModelRefusalFallbackMessage',
  description: 'A model refused, and another one was asked.',
});

export const modelRefusalNoFallbackMessage = systemMessage('model_refusal_no_fallback', {
  original_model: z.string(),
  request_id: z.nullable(z.string()),
  api_refusal_category: z.optional(z.nullable(z.string())),
  api_refusal_explanation: z.optional(z.nullable(z.string())),
  refused_user_message_uuid: z.optional(z.nullable(z.string())),
  content: z.string(),
}).register(protocol, {
  id: 'SDKModelRefusalNoFallbackMessage',
  description: 'A model refused, and no other one was asked.',
});

export const modelFallbackMessage = systemMessage('model_fallback', {
  trigger: openEnum(['overloaded', 'server_error', 'last_resort', 'model_not_found', 'permission_denied']),
  original_model: z.optional(z.string()),
  fallback_model: z.optional(z.string()),
  content: z.optional(z.string()),
}).register(protocol, {
  id: 'SDKModelFallbackMessage',
  description: 'A model could not serve, and another one took over. Seen, not declared.',
});
