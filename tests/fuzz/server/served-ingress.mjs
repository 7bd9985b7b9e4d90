// An ingress for a fuzz, in a process of its own: `node --expose-gc served-ingress.mjs ACCOUNTS [STORE]`. ACCOUNTS is a file of accounts;
// STORE is the file of the event log, which is in memory without one. The parent asks over IPC what the process has used.
import { createMemoryEventLog, openAccountsFile, openSqliteEventLog, serve } from '@proto/ingress';

const [accountsFile, store] = process.argv.slice(2);
/** How often somebody wanted the agent of each session. */
const needs = new Map();
const failures = [];

const server = await serve({
  log: store === undefined ? createMemoryEventLog() : await openSqliteEventLog({ file: store }),
  accounts: await openAccountsFile(accountsFile),
  agents: {
    need: (session) => void needs.set(session, (needs.get(session) ?? 0) + 1),
    failureOf: () => undefined,
    end: () => {},
  },
  onError: (error) => failures.push(error instanceof Error ? error.message : String(error)),
});

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
// How much was computed between two turns of the event loop: what else goes on in the machine adds nothing to that.
let [lastTurnMs, longestTurnMs] = [cpuMs(), 0];
setInterval(() => {
  const now = cpuMs();
  longestTurnMs = Math.max(longestTurnMs, now - lastTurnMs);
  lastTurnMs = now;
}, 5);

const usage = () => {
  // `maxRSS` counts in kilobytes.
  const peak = process.resourceUsage().maxRSS * 1024;
  return { cpuMs: cpuMs(), longestTurnMs, residentBytes: process.memoryUsage.rss(), peakBytes: peak };
};
const answers = {
  usage,
  // What earlier work has left to collect would count as the cost of the next one.
  rest: () => {
    globalThis.gc?.();
    globalThis.gc?.();
    [lastTurnMs, longestTurnMs] = [cpuMs(), 0];
    return usage();
  },
  needs: () => Object.fromEntries(needs),
  failures: () => failures.splice(0),
};
process.on('message', ({ id, ask }) => process.send({ id, answer: answers[ask]() }));
process.once('disconnect', () => process.exit());
process.send({ url: server.url });
