import { createAccounts, listen } from '@proto/ingress';
import { openPostgresEventLog } from '@proto/log-postgres';

/** The parameters with which a node is started. */
export interface ClusterNodeOptions {
  readonly database: string;
  readonly schema: string;
  readonly port: number;
  readonly driver: string;
  /** Whether other nodes share the store. */
  readonly isShared: boolean;
}

/** Limits that are too high to end a measurement. */
const NO_LIMIT = 1e9;

/** Serves sessions from a database, as one of several nodes or alone. Reports when it listens, and its CPU time in microseconds when asked. */
export async function run([text = '']: readonly string[]): Promise<void> {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  const { database, schema, port, driver, isShared } = JSON.parse(text) as ClusterNodeOptions;
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: driver }]);
  await listen({
    log: await openPostgresEventLog({ url: database, schema }),
    accounts,
    port,
    onError: (error) => console.error(error),

    limits: { maxRequestsPerSecond: NO_LIMIT, maxBytesPerSecond: NO_LIMIT },
    ...(isShared && { cluster: { url: `http://127.0.0.1:${port}` } }),
  });
  process.send?.('listens');
}
