export { DEFAULT_CREDENTIAL_LEEWAY_MS } from './credential.ts';
export type { SseOptions } from './event-link.ts';
export type { BodyReader, Fetch, HttpRequest, HttpResponse } from './http.ts';
export {
  DEFAULT_MAX_POST_BYTES,
  DEFAULT_MAX_POST_MESSAGES,
  DEFAULT_POST_TIMEOUT_MS,
} from './post-queue.ts';
export { type ConflictReason, MessagesRefusedError, WorkerConflictError } from './session-errors.ts';
export { DEFAULT_MAX_EVENT_BYTES } from './read-events.ts';
export { hybridScheme } from './hybrid/hybrid-scheme.ts';
export type { HybridOptions } from './hybrid/hybrid-transport.ts';
export { sseScheme, type SseSchemeOptions } from './sse-scheme.ts';
export { createSseTransport } from './sse-transport.ts';
export { DEFAULT_MAX_WAITING_REPORTS } from './worker/reports.ts';
export { DEFAULT_HEARTBEAT_MS } from './worker/heartbeat.ts';
export { DEFAULT_MAX_PAGE_BYTES } from './worker/internal-events.ts';
export type { SseWorkerOptions } from './worker/worker-transport.ts';
export { createSseWorkerTransport } from './worker/worker-transport.ts';
