import { controlRequestInner } from './control/requests.ts';
import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, record, string, unknown } from './schema.ts';
import { closedUnion } from './union-schema.ts';

/** Schema of `SDKControlRequest`. */
export const controlRequestFrame = lazy(() =>
  object({ type: literal('control_request'), request_id: string, request: controlRequestInner }),
);

/** A control request as it travels. Each side chooses the ids of its own requests. */
export type SDKControlRequest = Infer<typeof controlRequestFrame>;

// Answers to `initialize` repeat what waits for an answer, so that a host which joins late can serve it. Most answers repeat
// nothing.
const frames = optional(array(controlRequestFrame));
const pending = {
  pending_permission_requests: frames,
  pending_user_dialog_requests: frames,
  pending_elicitation_requests: frames,
};

/** Schema of `ControlResponse`. */
export const controlSuccess = lazy(() =>
  object({
    subtype: literal('success'),
    request_id: string,
    response: optional(record(unknown)),
    ...pending,
  }),
);

/** A success. An acknowledgement may have no payload, or an empty one. */
export type ControlResponse = Infer<typeof controlSuccess>;

/** Schema of `ControlErrorResponse`. */
export const controlFailure = lazy(() =>
  object({
    subtype: literal('error'),
    request_id: string,
    error: string,
    // Seen, not declared.
    error_code: optional(string),
    ...pending,
  }),
);

/** A failure: a text for people, and from recent agents a code to act on. */
export type ControlErrorResponse = Infer<typeof controlFailure>;

/** Schema of `SDKControlResponse`. */
export const controlResponseFrame = lazy(() =>
  object({
    type: literal('control_response'),
    response: closedUnion('subtype', { success: controlSuccess, error: controlFailure }),
    // Only of remote sessions: the answer is not kept for those who join later.
    live_only: optional(boolean),
  }),
);

/** The answer to a control request; the id sits inside `response`. Closed: what is neither success nor error is no answer. */
export type SDKControlResponse = Infer<typeof controlResponseFrame>;

/** Schema of `SDKControlCancelRequest`. */
export const controlCancelFrame = lazy(() => object({ type: literal('control_cancel_request'), request_id: string }));

/** Takes back one's own request. There is no answer to it, and may be none to the request. */
export type SDKControlCancelRequest = Infer<typeof controlCancelFrame>;
