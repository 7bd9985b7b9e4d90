export { ControlError, type Issue, ProtocolError } from './errors.ts';
export { coalesceStreamEvents } from './session/coalesce-stream-events.ts';
export type { ControlRequest } from './session/control-frames.ts';
export type { LaunchFlags } from './session/launch-flags.ts';
export { createOutboundStream } from './session/outbound-queue.ts';
export {
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
export type { RequestHandler } from './session/request-handlers.ts';
export type { Schema } from './session/schema.ts';
export type { AnswerContext, RequestContext } from './session/served-request.ts';
export type { Session, SessionOptions, SessionWriter } from './session/session-options.ts';
export { createSession } from './session/session.ts';
export type { SessionItem, SessionMalformed } from './session/unread.ts';
