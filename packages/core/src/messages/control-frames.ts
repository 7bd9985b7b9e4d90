import * as z from 'zod/mini';
import { controlRequestInner } from './control/requests.ts';
import { type Infer, lazy, object, optional } from './schema.ts';

/** Schema of `SDKControlRequest`. */
export const controlRequestFrame = lazy(() =>
  object({ type: z.literal('control_request'), request_id: z.string(), request: controlRequestInner() }),
);

/** A control request as it travels. Each side chooses the ids of its own requests. */
export type SDKControlRequest = Infer<typeof controlRequestFrame>;

// Answers to `initialize` repeat what waits for an answer, so that a host which joins late can serve it. Most answers repeat
// nothing, and must not build the schemas of all requests: that takes ten times as long as all else here.
const frames = () => optional(z.array(z.lazy(controlRequestFrame)));
const pending = () => ({
  pending_permission_requests: frames(),
  pending_user_dialog_requests: frames(),
  pending_elicitation_requests: frames(),
});

/** Schema of `ControlResponse`. */
export const controlSuccess = lazy(() =>
  object({
    subtype: z.literal('success'),
    request_id: z.string(),
    response: optional(z.record(z.string(), z.unknown())),
    ...pending(),
  }),
);

/** A success. An acknowledgement may have no payload, or an empty one. */
export type ControlResponse = Infer<typeof controlSuccess>;

/** Schema of `ControlErrorResponse`. */
export const controlFailure = lazy(() =>
  object({
    subtype: z.literal('error'),
    request_id: z.string(),
    error: z.string(),
    // Seen, not declared.
    error_code: optional(z.string()),
    ...pending(),
  }),
);

/** A failure: a text for people, and from recent agents a code to act on. */
export type ControlErrorResponse = Infer<typeof controlFailure>;

/** Schema of `SDKControlResponse`. */
export const controlResponseFrame = lazy(() =>
  object({
    type: z.literal('control_response'),
    response: z.discriminatedUnion('subtype', [controlSuccess(), controlFailure()]),
    // Only of remote sessions: the answer is not kept for those who join later.
    live_only: optional(z.boolean()),
  }),
);

/** The answer to a control request; the id sits inside `response`. Closed: what is neither success nor error is no answer. */
export type SDKControlResponse = Infer<typeof controlResponseFrame>;

/** Schema of `SDKControlCancelRequest`. */
export const controlCancelFrame = lazy(() =>
  object({ type: z.literal('control_cancel_request'), request_id: z.string() }),
);

/** Takes back one's own request. There is no answer to it, and may be none to the request. */
export type SDKControlCancelRequest = Infer<typeof controlCancelFrame>;
