import type { RequestHandler } from '../request-handlers.ts';

/** Hears when a request begins to be served, and when it is done or taken back. */
export interface ServedRequestsOptions {
  readonly onBegin: (requestId: unknown) => void;
  readonly onDone: () => void;
}

/** Each handler as it is; while one is at work the id of its request is in `ids`. */
export function watchRequests(
  handlers: Readonly<Record<string, RequestHandler>>,
  ids: Set<unknown>,
  { onBegin, onDone }: ServedRequestsOptions,
): Readonly<Record<string, RequestHandler>> {
  const watched =
    (handler: RequestHandler): RequestHandler =>
    async (request, context) => {
      const { requestId, signal } = context;
      const done = () => {
        ids.delete(requestId);
        onDone();
      };
      ids.add(requestId);
      onBegin(requestId);
      signal.addEventListener('abort', done);
      try {
        return await handler(request, context);
      } finally {
        done();
      }
    };
  return Object.fromEntries(Object.entries(handlers).map(([subtype, handler]) => [subtype, watched(handler)]));
}
