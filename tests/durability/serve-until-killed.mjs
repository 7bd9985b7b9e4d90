// Serves an ingress over the event log FILE on a free port, and writes the port to stdout: `node serve-until-killed.mjs FILE TOKEN`.
import { createAccounts, openSqliteEventLog, listen } from '@proto/ingress';

const [file, token] = process.argv.slice(2);
const accounts = await createAccounts([{ name: 'driver', role: 'driver', token }]);
const { url } = await listen({ log: await openSqliteEventLog({ file }), accounts });
console.log(url);
