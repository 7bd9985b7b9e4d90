import type { HealthzProbe } from '../server/healthz-probe.ts';
import type { FuzzServer } from '../server/start-server.ts';
import type { Load } from './load.ts';

/** The cost of one run of a load. */
export interface Cost {
  readonly size: number;
  readonly bytes: number;
  /** The CPU time of the server process. */
  readonly cpuMs: number;
  /** How far the peak of the resident memory of the server grew, in bytes. */
  readonly growthBytes: number;
  /** The longest wait of `/healthz` during the run; 0 if it was not polled. */
  readonly waitMs: number;
  /** The most CPU between two turns of the event loop of the server. */
  readonly turnMs: number;
  /** Whether the run was aborted before everything was sent, because the server reads slowly or hangs. */
  readonly isCutShort: boolean;
}

/** The time limit of one run. */
export interface MeasureOptions {
  readonly limitMs: number;
  readonly probe?: HealthzProbe;
}

/** A wait that a busy machine does not explain. */
const HOPELESS_MS = 8000;
const LOOK_MS = 30;
const IDLE_CPU_MS = 4;
const REST_MS = 15_000;

/** Sends a load of one size. Returns what the server spent until it was idle again. */
export async function measure(server: FuzzServer, load: Load, size: number, options: MeasureOptions): Promise<Cost> {
  const { limitMs, probe } = options;
  const run = await load.prepare(server, size);
  const before = await server.rest();
  probe?.restart();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limitMs);
  let largest = before.residentBytes;
  let isSent = false;
  const sending = run.send(stop.signal).finally(() => (isSent = true));
  const hopeless = watch(probe, () => isSent || stop.signal.aborted);
  await Promise.race([sending, hopeless, aborted(stop.signal)]);
  const isCutShort = !isSent;
  stop.abort();
  clearTimeout(timer);
  const waitedMs = probe?.longestMs ?? 0;
  // A server that hangs does not answer here either; the figures so far are enough.
  if (waitedMs > HOPELESS_MS) {
    run.end();
    return { size, bytes: run.bytes, cpuMs: waitedMs, growthBytes: 0, waitMs: waitedMs, turnMs: waitedMs, isCutShort };
  }
  if (isCutShort) run.end();
  const after = await atRest(server, ({ residentBytes }) => (largest = Math.max(largest, residentBytes)));
  run.end();
  // The peak of the process belongs to this run, unless an earlier run had a larger peak.
  const peak = after.peakBytes > before.peakBytes ? after.peakBytes : largest;
  return {
    size,
    bytes: run.bytes,
    cpuMs: after.cpuMs - before.cpuMs,
    growthBytes: Math.max(0, peak - before.residentBytes),
    waitMs: Math.max(waitedMs, probe?.longestMs ?? 0),
    turnMs: after.longestTurnMs,
    isCutShort,
  };
}

/** Settles once the server is idle, or after a long time: the cost so far is enough then. */
async function atRest(server: FuzzServer, look: (usage: Awaited<ReturnType<FuzzServer['usage']>>) => void) {
  let last = await server.usage();
  const end = performance.now() + REST_MS;
  for (let quiet = 0; quiet < 2 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const usage = await server.usage();
    look(usage);
    quiet = usage.cpuMs - last.cpuMs < IDLE_CPU_MS ? quiet + 1 : 0;
    last = usage;
  }
  return last;
}

/** Settles when `/healthz` has waited far too long, and otherwise never. */
function watch(probe: HealthzProbe | undefined, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (probe === undefined) return;
    const timer = setInterval(() => {
      if (isOver()) clearInterval(timer);
      else if (probe.longestMs > HOPELESS_MS) {
        clearInterval(timer);
        resolve();
      }
    }, 100);
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
