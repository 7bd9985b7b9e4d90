import { Worker } from 'node:worker_threads';

/** Measures how long requests of `/healthz` wait for the answer of a server. */
export interface HealthzProbe {
  /** The longest wait since the last call of `restart`, in milliseconds, including the request that has no answer yet. */
  readonly longestMs: number;
  /** Discards the waits so far. */
  restart(): void;
  stop(): Promise<void>;
}

const FIRST_ANSWER_MS = 20_000;

/** Starts the requests in a separate thread, so that this program does not delay them. Fulfils with the first answer. */
export async function startHealthzProbe(url: string): Promise<HealthzProbe> {
  const shared = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT);
  const waits = new Float64Array(shared);
  const worker = new Worker(new URL('./healthz-probe.mjs', import.meta.url), { workerData: { url, shared } });
  worker.unref();
  for (const end = performance.now() + FIRST_ANSWER_MS; (waits[2] ?? 0) === 0; ) {
    if (performance.now() > end) throw new Error(`/healthz has no answer after ${FIRST_ANSWER_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  waits[0] = 0;
  return {
    get longestMs() {
      return Math.max(waits[0] ?? 0, waits[1] ?? 0);
    },
    restart: () => void (waits[0] = 0),
    stop: async () => void (await worker.terminate()),
  };
}
