export { ControlError, type Issue, ProtocolError } from './errors.ts';
export { coalesceStreamEvents, DEFAULT_COALESCE_WINDOW_MS } from './session/coalesce-stream-events.ts';
export type { ControlRequest } from './session/control-frames.ts';
export type { LaunchFlags } from './session/launch-flags.ts';
export { createOutboundStream } from './session/outbound-queue.ts';
export {
  DEFAULT_HIGH_WATER_MARK_BYTES,
  DEFAULT_MAX_OUTBOUND_BYTES,
  type EnqueueOptions,
  type OutboundStage,
  type OutboundStream,
  type OutboundStreamOptions,
} from './session/outbound-stream.ts';
export type { PendingRequest, RequestOptions } from './session/pending-request.ts';
export {
  createPendingRequests,
  type PendingRequests,
  type PendingRequestsOptions,
  type Settlement,
} from './session/pending-requests.ts';
export {
  DEFAULT_MAX_SERVED_BYTES,
  DEFAULT_MAX_SERVED_REQUESTS,
  type RequestHandler,
} from './session/request-handlers.ts';
export type { Schema } from './session/schema.ts';
export type { AnswerContext, RequestContext } from './session/served-request.ts';
export type { Session, SessionOptions, SessionWriter } from './session/session-options.ts';
export { createSession, DEFAULT_FAIL_ABOVE_BYTES, DEFAULT_PAUSE_ABOVE_BYTES } from './session/session.ts';
export type { SessionItem, SessionMalformed } from './session/unread.ts';
export { TransportError } from './transport/error.ts';
