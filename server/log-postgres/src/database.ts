import { EventLogError } from '@proto/ingress/event-log';
import pg from 'pg';
import { postgresDefaults, type PostgresOptions } from './options.ts';

const CONNECT_MS = 5000;
/** The longest time that PostgreSQL and a Node timer support. A longer limit means no limit, which PostgreSQL and Node represent as 0. */
const LONGEST_MS = 2 ** 31 - 1;
/** How long the client waits after the server's own statement limit before the connection counts as dead, in milliseconds. */
const DEAD_AFTER_MS = 2000;

// Sequence numbers and times are bigints in the tables, and safe integers here.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export function connectionConfig(options: PostgresOptions): pg.ClientConfig {
  const { statementTimeoutMs = postgresDefaults.statementTimeoutMs } = options;
  return {
    connectionString: options.url,
    ...(options.password !== undefined && { password: options.password }),
    types,
    application_name: 'sjp',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: counted(statementTimeoutMs),
    query_timeout: counted(statementTimeoutMs + DEAD_AFTER_MS),
    keepAlive: true,
  };
}

const counted = (ms: number) => (ms > LONGEST_MS ? 0 : Math.ceil(ms));

/**
 * These settings apply whatever the server's defaults are. Acknowledged writes are on the server's disk, and statements see everything that was
 * committed before they ran. Each statement uses few rows, so tables are always read by their indexes: otherwise a prepared statement would keep the
 * plan that was made for a small table, and scan the whole table after it has grown. JIT compilation is off: with `enable_seqscan` off, a plan that
 * still contains a scan gets an enormous cost estimate, so PostgreSQL would compile it first.
 */
const SETTINGS = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false),
  set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)`;

/** A connection that accepts a function for the password. The driver alone would ignore this function if the address contains no password. */
export class Connection extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    // The driver does expect a function here, although its types say otherwise.
    if (typeof config.password === 'function') Object.assign(this, { password: config.password });
  }
}

/** Opens a pool of connections. A connection that breaks while it is unused is replaced silently. */
export function openPool(options: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    Client: Connection as unknown as new () => pg.ClientBase,
    max: options.maxConnections ?? postgresDefaults.maxConnections,
    // The pool waits for this promise. If the promise rejects, the pool does not hand out the connection.
    onConnect: (client) => client.query(SETTINGS) as unknown as void,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // If a connection breaks, its queries fail, so this event needs no handling.
    client.on('error', () => {});
  });
  return pool;
}

const NO_ROOM_CODES = new Set(['53100', '54000']);
/**
 * Classes of errors after which a later attempt may succeed: the connection broke, there was a deadlock, or the server is starting, is shutting down,
 * has too many clients, or is a standby that has not been promoted yet.
 */
const PASSING = ['08', '25006', '40', '53300', '55P03', '57P'];
/** The class of a deadlock, and of a conflict between transactions: the statement did nothing, and may be sent again immediately. */
const ROLLED_BACK = '40';
const MAX_REPEATS = 5;

/** Whether the same statement may succeed later. A commit may have happened although its answer was lost. */
export function isPassing(error: unknown): boolean {
  if (EventLogError.is(error)) return false;
  const code = codeOf(error);
  // Connection errors have a system error code, such as ECONNRESET, or none at all.
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || PASSING.some((prefix) => code.startsWith(prefix));
}

/** Repeats work whose transaction the server aborted because of a conflict with another transaction. */
export async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      if (repeats === MAX_REPEATS || codeOf(error)?.startsWith(ROLLED_BACK) !== true) throw error;
    }
  }
}

/** Converts a database error to the error of a store. */
export function storeError(cause: unknown): EventLogError {
  if (EventLogError.is(cause)) return cause;
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const kind = code !== undefined && NO_ROOM_CODES.has(code) ? 'full' : 'failed';
  return new EventLogError(kind, `event log: PostgreSQL: ${message}${code === undefined ? '' : ` (${code})`}`, {
    cause,
  });
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = Object(error).code;
  return typeof code === 'string' ? code : undefined;
}
