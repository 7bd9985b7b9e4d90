import { TransportError } from '@proto/core/transport';

// Made once: the one that a platform makes where there is none takes longer than all else here.
const OVER = /* @__PURE__ */ new TransportError('aborted', 'sse: over');

/** Runs with a signal that aborts with the outer one and when the run is over: what it opened is released either way. */
export async function scoped<T>(outer: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  else outer.addEventListener('abort', abort);
  try {
    return await run(controller.signal);
  } finally {
    outer.removeEventListener('abort', abort);
    controller.abort(OVER);
  }
}
