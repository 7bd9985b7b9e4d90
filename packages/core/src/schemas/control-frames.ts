import * as z from 'zod/mini';
import { controlRequestInner } from './control/requests.ts';
import { systemMessage } from './message-members.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const controlRequestFrame = openObject({
  type: z.literal('control_request'),
  request_id: z
    .string()
    .check(
      z.describe(
        'An id that the sender chooses. The id must differ from the ids of all other pending requests from this sender, but the other side may use the same id for its own requests. The text of an id has no meaning.',
      ),
    ),
  request: controlRequestInner,
}).register(protocol, {
  id: 'SDKControlRequest',
  description: 'A request to the other side, on the same stream as the messages. Each side chooses ids for the requests that it sends.',
});

// The answer to `initialize` repeats the requests that still wait for an answer, so that a host that joins late can serve them. The bodies are
// not checked here, because most answers do not repeat any requests.
const frames = z.optional(
  z.array(openObject({ request_id: z.string(), request: openObject({ subtype: z.string() }) }).register(protocol, { type: 'SDKControlRequest' })),
);
const pending = { pending_permission_requests: frames, pending_user_dialog_requests: frames, pending_elicitation_requests: frames };

export const controlSuccess = openObject({
  subtype: z.literal('success'),
  request_id: z.string().check(z.describe('The id of the request that this response answers.')),
  response: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The payload of the response. Its members depend on the request.')),
  ...pending,
}).register(protocol, {
  id: 'ControlResponse',
  description: 'The response to a request that succeeded. The payload of an acknowledgement is absent or empty.',
});

export const controlFailure = openObject({
  subtype: z.literal('error'),
  request_id: z.string().check(z.describe('The id of the request that this response answers.')),
  error: z.string().check(z.describe('Describes what went wrong, as text for people. Programs should use `error_code` instead.')),
  // Seen on the wire, not declared by the published SDK.
  error_code: z
    .optional(z.string())
    .check(z.describe('A code for programs that says what went wrong, such as `unsupported_request`. Older agents and some hosts send no code.')),
  model: z.optional(z.string()).check(z.describe('The model that stays in use. Present only in the response to `set_model`.')),
  ...pending,
}).register(protocol, {
  id: 'ControlErrorResponse',
  description: 'The response to a request that failed. Contains a text for people and, from recent agents, a code for programs.',
});

export const controlResponseFrame = openObject({
  type: z.literal('control_response'),
  response: z.discriminatedUnion('subtype', [controlSuccess, controlFailure]),
  live_only: z
    .optional(z.boolean())
    .check(z.describe('True if the server does not store the answer for clients that join later. Present only in remote sessions.')),
}).register(protocol, {
  id: 'SDKControlResponse',
  description:
    'The answer to a control request. The id of the request is inside `response`. A message whose `subtype` is neither `success` nor `error` is not an answer.',
});

export const controlCancelFrame = openObject({
  type: z.literal('control_cancel_request'),
  request_id: z.string().check(z.describe('The id of the request to cancel. An unknown id is ignored.')),
}).register(protocol, {
  id: 'SDKControlCancelRequest',
  description: 'Cancels a request that the same side sent earlier. The other side does not answer this message, and need not answer the cancelled request.',
});

export const controlRequestProgressMessage = systemMessage('control_request_progress', {
  request_id: z.string().check(z.describe('The id of the control request that the agent is serving.')),
  status: openEnum(['started', 'api_retry']).check(
    z.describe(
      'What the agent is doing. `api_retry` means that a call to the model API failed and will be retried. The members `attempt`, `max_retries` and `retry_delay_ms` describe the retry.',
    ),
  ),
  attempt: z.optional(z.number()).check(z.describe('The number of the retry. Present only with `api_retry`.')),
  max_retries: z.optional(z.number()).check(z.describe('The maximum number of retries. Present only with `api_retry`.')),
  retry_delay_ms: z.optional(z.number()).check(z.describe('Milliseconds from the failure to the retry. Present only with `api_retry`.')),
  error_status: z
    .optional(z.nullable(z.number()))
    .check(z.describe('The HTTP status of the failure. `null` if no response arrived. Present only with `api_retry`.')),
}).register(protocol, { id: 'SDKControlRequestProgressMessage', description: 'The progress of a control request that takes a long time.' });
