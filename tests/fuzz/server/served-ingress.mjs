// An ingress for the fuzzer, in a separate process: `node --expose-gc served-ingress.mjs ACCOUNTS [STORE]`. ACCOUNTS is a file of accounts,
// STORE is the file of the event log. Without STORE, the event log is in memory.
import { createMemoryEventLog, openAccountsFile, openSqliteEventLog, listen } from '@proto/ingress';
import { report } from './report.mjs';

const [accountsFile, store] = process.argv.slice(2);
/** How often an agent was requested, for each session. */
const needs = new Map();
const failures = [];

const server = await listen({
  log: store === undefined ? createMemoryEventLog() : await openSqliteEventLog({ file: store }),
  accounts: await openAccountsFile(accountsFile),
  agents: {
    need: (session) => void needs.set(session, (needs.get(session) ?? 0) + 1),
    failureOf: () => undefined,
    end: () => {},
  },
  onError: (error) => failures.push(error instanceof Error ? error.message : String(error)),
});

report(server.url, {
  needs: () => Object.fromEntries(needs),
  failures: () => failures.splice(0),
});
