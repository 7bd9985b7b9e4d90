import type { Usage } from '@proto/ingress/event-log';
import type { Pool } from 'pg';

/** Above this fraction of the limit, the size is read before each statement. */
const NEAR = 0.9;
/** If the store is smaller than the fraction `NEAR` of its limit, the size that other nodes have added is read at this interval, in milliseconds. */
const REFRESH_MS = 1000;
const STATEMENTS_PER_COMPACTION = 1000;

/** The size of the store: the size that was read, plus what this node is adding. */
export class StoreUsage {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #maxTotalBytes: number;
  #bytes = 0;
  #readAt = -Infinity;
  #reservedBytes = 0;
  #statements = 0;

  constructor(pool: Pool, schema: string, maxTotalBytes: number) {
    this.#pool = pool;
    this.#schema = schema;
    this.#maxTotalBytes = maxTotalBytes;
  }

  /** Reads the size again if the known size may be too inaccurate. */
  async refresh(growth: number): Promise<void> {
    const isNear = this.#bytes + this.#reservedBytes + growth > NEAR * this.#maxTotalBytes;
    if (isNear || performance.now() - this.#readAt > REFRESH_MS) await this.read();
  }

  async read(): Promise<Usage> {
    const { rows } = await this.#pool.query<{ readonly streams: number | null; readonly bytes: number | null }>(
      `SELECT sum(streams) AS streams, sum(bytes) AS bytes FROM ${this.#schema}.usage_changes`,
    );
    const { streams, bytes } = rows[0] ?? { streams: 0, bytes: 0 };
    this.#bytes = bytes ?? 0;
    this.#readAt = performance.now();
    return { streams: streams ?? 0, bytes: this.#bytes };
  }

  /** Whether the store has room for this number of bytes. */
  allows(growth: number): boolean {
    return this.#bytes + this.#reservedBytes + growth <= this.#maxTotalBytes;
  }

  /** Counts the bytes of a statement before it runs. Call the returned function after the statement, with the number of bytes that it wrote. */
  reserve(growth: number): (written: number) => void {
    this.#reservedBytes += growth;
    return (written) => {
      this.#reservedBytes -= growth;
      this.#bytes += written;
      if (++this.#statements % STATEMENTS_PER_COMPACTION === 0) void this.compact().catch(() => {});
    };
  }

  /**
   * Merges the rows that record changes. Two nodes may do this at the same time, because each node sums up only the rows that it has deleted itself.
   */
  async compact(): Promise<void> {
    await this.#pool.query(
      `WITH gone AS (DELETE FROM ${this.#schema}.usage_changes RETURNING streams, bytes)
       INSERT INTO ${this.#schema}.usage_changes (streams, bytes) SELECT sum(streams), sum(bytes) FROM gone HAVING count(*) > 0`,
    );
  }
}
