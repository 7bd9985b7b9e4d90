// The messages of a server to the process that started it: first its address, and then the answers to requests over IPC.

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Reports the address of the server, and answers requests of the parent. `answers` are functions that answer requests other than `usage` and `rest`.
 * @param {string} url
 * @param {Record<string, () => unknown>} [answers]
 */
export function report(url, answers = {}) {
  // CPU time between two turns of the event loop: other processes of the machine do not add to this.
  let [lastTurnMs, longestTurnMs] = [cpuMs(), 0];
  setInterval(() => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - lastTurnMs);
    lastTurnMs = now;
  }, 5);
  const usage = () => {
    // `maxRSS` counts in kilobytes.
    const peakBytes = process.resourceUsage().maxRSS * 1024;
    return { cpuMs: cpuMs(), longestTurnMs, residentBytes: process.memoryUsage.rss(), peakBytes };
  };
  // Garbage of earlier work would count as a cost of the next measurement.
  const rest = () => {
    globalThis.gc?.();
    globalThis.gc?.();
    [lastTurnMs, longestTurnMs] = [cpuMs(), 0];
    return usage();
  };
  /** @type {Record<string, () => unknown>} */
  const all = { usage, rest, ...answers };
  process.on('message', (/** @type {{ id: number, ask: string }} */ { id, ask }) => {
    process.send?.({ id, answer: all[ask]?.() });
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}
