export type { SseOptions } from './event-link.ts';
export type { BodyReader, Fetch, HttpRequest, HttpResponse } from './http.ts';
export { type ConflictReason, MessagesRefusedError, WorkerConflictError } from './session-errors.ts';
export { hybridScheme } from './hybrid/hybrid-scheme.ts';
export type { HybridOptions } from './hybrid/hybrid-transport.ts';
export { sseScheme, type SseSchemeOptions } from './sse-scheme.ts';
export { createSseTransport } from './sse-transport.ts';
export type { SseWorkerOptions } from './worker/worker-transport.ts';
export { createSseWorkerTransport } from './worker/worker-transport.ts';
