// Runs one node of a server until the node is killed: `node serve-node.mjs JSON`. Writes one line to stdout when it listens. With the fault "no
// fence", the node treats its claims as valid for ten times their duration, and omits the epoch from its writes.
import { createAccounts, listen } from '@proto/ingress';
import { openPostgresEventLog } from '@proto/log-postgres';

const { database, schema, port, run, ttlMs, token, fault } = JSON.parse(process.argv[2]);
// The connections have the name of the run, so that the database knows which run writes.
const url = new URL(database);
url.searchParams.set('application_name', run);
const log = await openPostgresEventLog({ url: url.href, schema, maxConnections: 4 });
const accounts = await createAccounts([{ name: 'driver', role: 'driver', token }]);
await listen({
  log: fault === 'no fence' ? unfenced(log) : log,
  accounts,
  port,
  cluster: { url: `http://127.0.0.1:${port}`, ttlMs: fault === 'no fence' ? ttlMs * 10 : ttlMs, run },
});
console.log('listens');

function unfenced(store) {
  const without = ({ epoch: _, ...condition } = {}) => condition;
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append') return (stream, events, condition) => target.append(stream, events, without(condition));
      if (name === 'writeDocument')
        return (stream, key, text, condition) => target.writeDocument(stream, key, text, without(condition));
      if (name === 'claim') return (stream, node) => target.claim(stream, node, ttlMs);
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
