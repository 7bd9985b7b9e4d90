import type { RequestHandler } from '../request-handlers.ts';

/** Each handler as it is; while one is at work, until it is done or its request taken back, the id of that is in `ids`. */
export function watchRequests(
  handlers: Readonly<Record<string, RequestHandler>>,
  ids: Set<unknown>,
  onBegin: (requestId: unknown) => void,
  onDone: () => void,
): Readonly<Record<string, RequestHandler>> {
  const watched =
    (handler: RequestHandler): RequestHandler =>
    async (request, context) => {
      const { requestId, signal } = context;
      let isOver = false;
      const done = () => {
        // The id may be that of another request when the handler of one that was taken back returns.
        if (isOver) return;
        isOver = true;
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
