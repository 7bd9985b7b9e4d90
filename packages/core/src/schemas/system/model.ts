import * as z from 'zod/mini';
import { systemMessage } from '../message-members.ts';
import { assistantError } from '../assistant.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const apiRetryMessage = systemMessage('api_retry', {
  attempt: z.number().check(z.describe('Which retry this is, counted from 1.')),
  max_retries: z.number().check(z.describe('How many retries there may be; 10 unless the agent is told otherwise.')),
  retry_delay_ms: z.number().check(z.describe('Milliseconds from the failure to the next try.')),
  error_status: z.nullable(z.number()).check(z.describe('The HTTP status of the failure; null where there was no response.')),
  error: assistantError,
  no_response: z
    .optional(openObject({ waited_ms: z.number(), retry_wait_ms: z.number() }))
    .check(z.describe('Present only where the model API did not begin to answer in time.')),
}).register(protocol, { id: 'SDKAPIRetryMessage', description: 'A call of the model API failed and is tried again.' });

const textToShow = z.describe('A text to show.');
const ofRefusal = {
  original_model: z.string(),
  request_id: z.nullable(z.string()).check(z.describe('The id of the refused request to the model API, or null.')),
  api_refusal_category: z.optional(z.nullable(z.string())).check(z.describe('The kind of refusal as the model API names it; new kinds may come.')),
  api_refusal_explanation: z.optional(z.nullable(z.string())).check(z.describe('Why the model refused, for people to read.')),
  refused_user_message_uuid: z.optional(z.nullable(z.string())).check(z.describe('The prompt to offer to the user for a change; null where there is none.')),
  content: z.string().check(textToShow),
};

export const modelRefusalFallbackMessage = systemMessage('model_refusal_fallback', {
  trigger: openEnum(['refusal']),
  direction: openEnum(['retry', 'revert', 'sticky']).check(z.describe('Agents of today send only `retry`.')),
  scope: z.optional(openEnum(['session', 'local'])).check(z.describe('Counts as `session` where it is absent.')),
  ...ofRefusal,
  fallback_model: z.string(),
  retracted_message_uuids: z.optional(z.array(z.string())).check(z.describe('Messages to delete, by `uuid`; the same ones may be named again.')),
}).register(protocol, { id: 'SDKModelRefusalFallbackMessage', description: 'A model refused, and another one was asked.' });

export const modelRefusalNoFallbackMessage = systemMessage('model_refusal_no_fallback', ofRefusal).register(protocol, {
  id: 'SDKModelRefusalNoFallbackMessage',
  description: 'A model refused, and no other one was asked.',
});

export const modelFallbackMessage = systemMessage('model_fallback', {
  trigger: openEnum(['overloaded', 'server_error', 'last_resort', 'model_not_found', 'permission_denied']),
  original_model: z.optional(z.string()),
  fallback_model: z.optional(z.string()),
  content: z.optional(z.string()).check(textToShow),
}).register(protocol, { id: 'SDKModelFallbackMessage', description: 'A model could not serve, and another one took over. Seen, not declared.' });
