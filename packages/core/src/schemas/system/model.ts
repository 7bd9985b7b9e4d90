import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { assistantError } from '../assistant.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const apiRetryMessage = systemMessage('api_retry', {
  attempt: z.number().check(z.describe('The number of this retry, counted from 1.')),
  max_retries: z.number().check(z.describe('The maximum number of retries. The value is 10, unless the agent is configured otherwise.')),
  retry_delay_ms: z.number().check(z.describe('Milliseconds from the failure to the retry.')),
  error_status: z.nullable(z.number()).check(z.describe('The HTTP status of the failure. `null` if no response arrived.')),
  error: assistantError,
  no_response: z
    .optional(openObject({ waited_ms: z.number(), retry_wait_ms: z.number() }))
    .check(z.describe('Present only if the model API did not start its response in time.')),
}).register(protocol, { id: 'SDKAPIRetryMessage', description: 'A call to the model API failed and will be retried.' });

const textToShow = z.describe('A text to display.');
const ofRefusal = {
  original_model: z.string(),
  request_id: z.nullable(z.string()).check(z.describe('The id of the refused request to the model API, or `null`.')),
  api_refusal_category: z.optional(z.nullable(z.string())).check(z.describe('The kind of refusal, as named by the model API. New kinds may be added.')),
  api_refusal_explanation: z.optional(z.nullable(z.string())).check(z.describe('Why the model refused, as text for people.')),
  refused_user_message_uuid: z
    .optional(z.nullable(z.string()))
    .check(z.describe('The `uuid` of the prompt that the host should offer to the user for editing. `null` if the host should offer none.')),
  content: z.string().check(textToShow),
};

export const modelRefusalFallbackMessage = systemMessage('model_refusal_fallback', {
  trigger: openEnum(['refusal']),
  direction: openEnum(['retry', 'revert', 'sticky']).check(z.describe('The direction of the switch. Current agents send only `retry`.')),
  scope: z.optional(openEnum(['session', 'local'])).check(z.describe('The scope of the switch. Default `session`.')),
  ...ofRefusal,
  fallback_model: z.string(),
  retracted_message_uuids: z
    .optional(z.array(z.string()))
    .check(z.describe('The `uuid`s of messages to delete. The same `uuid` may be listed more than once.')),
}).register(protocol, { id: 'SDKModelRefusalFallbackMessage', description: 'A model refused to answer, and the agent retried with another model.' });

export const modelRefusalNoFallbackMessage = systemMessage('model_refusal_no_fallback', ofRefusal).register(protocol, {
  id: 'SDKModelRefusalNoFallbackMessage',
  description: 'A model refused to answer, and the agent did not try another model.',
});

export const modelFallbackMessage = systemMessage('model_fallback', {
  trigger: openEnum(['overloaded', 'server_error', 'last_resort', 'model_not_found', 'permission_denied']),
  original_model: z.optional(z.string()),
  fallback_model: z.optional(z.string()),
  content: z.optional(z.string()).check(textToShow),
}).register(protocol, {
  id: 'SDKModelFallbackMessage',
  description: 'A model could not be used, and another model replaced it. Seen on the wire, not declared by the published SDK.',
});
