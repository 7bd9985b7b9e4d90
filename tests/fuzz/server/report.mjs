// What a server tells the process that has started it: once where it listens, and then what it is asked over IPC.

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Says where the server listens, and answers what the parent asks. `answers` are those of this server beside what it has used.
 * @param {string} url
 * @param {Record<string, () => unknown>} [answers]
 */
export function report(url, answers = {}) {
  // How much was computed between two turns of the event loop: what else goes on in the machine adds nothing to that.
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
  // What earlier work has left to collect would count as the cost of the next one.
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
