import type { Pool, QueryResult } from 'pg';
import type { PostgresClaims } from './claims.ts';
import { repeated } from './database.ts';
import { decodeText } from './text.ts';
import type { StoreUsage } from './write/usage.ts';
import type { Writes } from './write/writes.ts';

const SLICE_SIZE = 100;
const SLICE_ROWS = 5000;

/** The context of an {@link Expiry}. */
export interface ExpiryContext {
  readonly pool: Pool;
  /** The schema name, as written in SQL. */
  readonly schema: string;
  readonly writes: Writes;
  readonly usage: StoreUsage;
  readonly claims: PostgresClaims;
  readonly now: () => number;
  readonly maxAgeMs: number;
}

/**
 * Drops what is too old. Old rows are found by indexes and dropped in slices, so that each statement takes only a short time. Several nodes may do
 * this at the same time.
 */
export class Expiry {
  readonly #context: ExpiryContext;

  constructor(context: ExpiryContext) {
    this.#context = context;
  }

  async expire(): Promise<void> {
    const { now, maxAgeMs, claims, usage } = this.#context;
    const cutoff = now() - maxAgeMs;
    for (let after = 0; ; ) {
      const streams = await this.#oldStreams(cutoff, after);
      if (streams.length === 0) break;
      await Promise.all(streams.map(({ name }) => this.#expireStream(name)));
      after = streams.at(-1)?.id ?? after;
    }
    await this.#forgetIds(cutoff);
    await claims.expire(maxAgeMs);
    await usage.compact();
  }

  async #oldStreams(cutoff: number, after: number): Promise<readonly { readonly id: number; readonly name: string }[]> {
    const { pool, schema } = this.#context;
    const { rows } = await pool.query<{ readonly id: number; readonly name: string }>(
      `SELECT id, coalesce(long_name, name) AS name FROM ${schema}.streams WHERE (written_at < $1 OR oldest_at < $1) AND id > $2 ORDER BY id LIMIT ${SLICE_SIZE}`,
      [cutoff, after],
    );
    return rows.map(({ id, name }) => ({ id, name: decodeText(name) }));
  }

  async #expireStream(name: string): Promise<void> {
    while (!(await this.#context.writes.write(name, { kind: 'expire' }, { growth: 0 })));
  }

  /** Deletes the rows of dropped events once their ids are older than the cutoff. */
  async #forgetIds(cutoff: number): Promise<void> {
    const { pool, schema } = this.#context;
    for (let count: number | null = SLICE_ROWS; count === SLICE_ROWS; ) {
      const text: string = `DELETE FROM ${schema}.events WHERE (stream, sequence) IN (
        SELECT stream, sequence FROM ${schema}.events WHERE payload IS NULL AND created_at < $1 LIMIT ${SLICE_ROWS})`;
      const { rowCount }: QueryResult = await repeated(() => pool.query(text, [cutoff]));
      count = rowCount;
    }
  }
}
