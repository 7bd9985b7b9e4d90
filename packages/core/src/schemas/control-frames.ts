import * as z from 'zod/mini';
import { controlRequestInner } from './control/requests.ts';
import { systemMessage } from './message-members.ts';
import { openEnum, openObject, protocol } from './open.ts';

export const controlRequestFrame = openObject({
  type: z.literal('control_request'),
  request_id: z
    .string()
    .check(z.describe('Chosen by the sender, unlike those of its other open requests; the other side may use the same, and nothing can be read from it.')),
  request: controlRequestInner,
}).register(protocol, { id: 'SDKControlRequest', description: 'A control request as it travels. Each side chooses the ids of its own requests.' });

// Answers to `initialize` repeat the requests that wait for an answer, so that a host which joins late can serve them. Most answers repeat
// no request, so the bodies are not checked here.
const frames = z.optional(
  z.array(openObject({ request_id: z.string(), request: openObject({ subtype: z.string() }) }).register(protocol, { type: 'SDKControlRequest' })),
);
const pending = { pending_permission_requests: frames, pending_user_dialog_requests: frames, pending_elicitation_requests: frames };

export const controlSuccess = openObject({
  subtype: z.literal('success'),
  request_id: z.string().check(z.describe('The id of the request that this answers.')),
  response: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The payload, whose members depend on the request that is answered.')),
  ...pending,
}).register(protocol, { id: 'ControlResponse', description: 'A success. An acknowledgement may have no payload, or an empty one.' });

export const controlFailure = openObject({
  subtype: z.literal('error'),
  request_id: z.string().check(z.describe('The id of the request that this answers.')),
  error: z.string().check(z.describe('What went wrong, for people to read; a program goes by `error_code`.')),
  // Seen, not declared.
  error_code: z.optional(z.string()).check(z.describe('What went wrong, for programs, such as `unsupported_request`; older agents and some hosts send none.')),
  ...pending,
}).register(protocol, { id: 'ControlErrorResponse', description: 'A failure: a text for people, and from recent agents a code to act on.' });

export const controlResponseFrame = openObject({
  type: z.literal('control_response'),
  response: z.discriminatedUnion('subtype', [controlSuccess, controlFailure]),
  live_only: z.optional(z.boolean()).check(z.describe('Only in remote sessions: the answer is not kept for those who join later.')),
}).register(protocol, {
  id: 'SDKControlResponse',
  description: 'The answer to a control request; the id sits inside `response`. Closed: what is neither success nor error is no answer.',
});

export const controlCancelFrame = openObject({
  type: z.literal('control_cancel_request'),
  request_id: z.string().check(z.describe('The id of the request that is taken back; an unknown one is ignored.')),
}).register(protocol, {
  id: 'SDKControlCancelRequest',
  description: "Takes back one's own request. There is no answer to it, and may be none to the request.",
});

export const controlRequestProgressMessage = systemMessage('control_request_progress', {
  request_id: z.string().check(z.describe('The id of the control request that is under way.')),
  status: openEnum(['started', 'api_retry']).check(
    z.describe('With `api_retry` a call of the model API failed; the members below say when it is tried again.'),
  ),
  attempt: z.optional(z.number()).check(z.describe('Only with `api_retry`: which retry this is.')),
  max_retries: z.optional(z.number()).check(z.describe('Only with `api_retry`: how many retries there may be.')),
  retry_delay_ms: z.optional(z.number()).check(z.describe('Only with `api_retry`: milliseconds from the failure to the next try.')),
  error_status: z.optional(z.nullable(z.number())).check(z.describe('Only with `api_retry`: the HTTP status of the failure, null where nobody responded.')),
}).register(protocol, { id: 'SDKControlRequestProgressMessage', description: 'How a control request that takes long is going.' });
