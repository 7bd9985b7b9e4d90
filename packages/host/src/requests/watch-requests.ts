import type { RequestHandler } from '@proto/core';

/** The requests that are being served. */
export interface Serving {
  readonly ids: Set<unknown>;
  /** Whether the call comes from a callback, ahead of its first `await`: what waits for all callbacks would wait for itself. */
  isInCallback: boolean;
}

/** Each handler as it is; while one is at work, until it is done or its request taken back, the id of that is in `serving`. */
export function watchRequests(
  handlers: Readonly<Record<string, RequestHandler>>,
  serving: Serving,
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
        serving.ids.delete(requestId);
        onDone();
      };
      serving.ids.add(requestId);
      onBegin(requestId);
      signal.addEventListener('abort', done);
      const call = () => {
        const outer = serving.isInCallback;
        serving.isInCallback = true;
        try {
          return handler(request, context);
        } finally {
          serving.isInCallback = outer;
        }
      };
      try {
        return await call();
      } finally {
        done();
      }
    };
  return Object.fromEntries(Object.entries(handlers).map(([subtype, handler]) => [subtype, watched(handler)]));
}
