// Serves an ingress over the event log FILE on a free port, and writes the port to stdout: `node killable-server.mjs FILE TOKEN`.
// Shuts down gracefully on SIGTERM.
import { createAccounts, openSqliteEventLog, listen } from '@proto/ingress';

const [file, token] = process.argv.slice(2);
const accounts = await createAccounts([{ name: 'driver', role: 'driver', token }]);
const log = await openSqliteEventLog({ file });
const server = await listen({ log, accounts, limits: { keepaliveMs: 60 } });
process.once('SIGTERM', () => void server.close().then(() => log.close()));
console.log(server.url);
