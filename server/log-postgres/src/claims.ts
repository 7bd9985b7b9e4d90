import { type Claimed, claimedName } from '@proto/ingress/event-log';
import type { Pool } from 'pg';
import { repeated } from './database.ts';
import { encodeKey } from './keys.ts';
import { decodeText, encodeText } from './text.ts';

interface WaitingClaim {
  readonly node: string;
  readonly ttlMs: number;
  resolve(claimed: Claimed): void;
  reject(error: unknown): void;
}

/** The server's clock, unless a test provides the time. */
const NOW = 'coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

/**
 * The claims of one node. All claims made in one turn of the event loop are sent in one statement, because a node renews many claims at the same
 * time.
 */
export class PostgresClaims {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #now: (() => number) | undefined;
  #waitingByKey = new Map<string, WaitingClaim[]>();

  /** @param now the clock for tests. By default, the clock of the server is used, which all nodes share. */
  constructor(pool: Pool, schema: string, now: (() => number) | undefined) {
    this.#pool = pool;
    this.#schema = schema;
    this.#now = now;
  }

  claim(stream: string, node: string, ttlMs: number): Promise<Claimed> {
    return new Promise((resolve, reject) => {
      if (this.#waitingByKey.size === 0) setImmediate(() => void this.#send());
      const key = encodeKey(claimedName(stream));
      const waiting = this.#waitingByKey.get(key) ?? [];
      waiting.push({ node, ttlMs, resolve, reject });
      this.#waitingByKey.set(key, waiting);
    });
  }

  async release(stream: string, epoch: number): Promise<void> {
    const values = [encodeKey(claimedName(stream)), epoch];
    const text = `DELETE FROM ${this.#schema}.claims WHERE name = $1 AND epoch = $2`;
    await repeated(() => this.#pool.query(text, values));
  }

  /** Deletes claims that expired more than `maxAgeMs` ago. */
  async expire(maxAgeMs: number): Promise<void> {
    const text = `DELETE FROM ${this.#schema}.claims WHERE until < ${NOW} - $2`;
    await repeated(() => this.#pool.query(text, [this.#now?.(), maxAgeMs]));
  }

  async #send(): Promise<void> {
    const waiting = this.#waitingByKey;
    this.#waitingByKey = new Map();
    // Several claims on the same name are sent in separate statements, one after the other.
    while (waiting.size > 0) {
      const round = [...waiting].map(([key, claims]) => ({ key, claim: claims.shift() as WaitingClaim }));
      for (const [key, claims] of waiting) if (claims.length === 0) waiting.delete(key);
      try {
        const answers = await repeated(() => this.#claim(round));
        for (const { key, claim } of round) claim.resolve(answers.get(key) as Claimed);
      } catch (error) {
        for (const { claim } of round) claim.reject(error);
      }
    }
  }

  async #claim(
    round: readonly { readonly key: string; readonly claim: WaitingClaim }[],
  ): Promise<Map<string, Claimed>> {
    const now = this.#now?.();
    const values = [
      now,
      round.map(({ key }) => key),
      round.map(({ claim }) => encodeText(claim.node)),
      round.map(({ claim }) => claim.ttlMs),
    ];
    // If another node has just taken back or lost the claim, the claim is tried again, because the two statements see different states.
    for (;;) {
      const { rows: taken } = await this.#pool.query<{ readonly name: string; readonly epoch: number }>(
        `INSERT INTO ${this.#schema}.claims AS claim (name, node, epoch, until)
         SELECT name, node, nextval('${this.#schema}.epochs'), ${NOW} + ttl
         FROM unnest($2::text[], $3::text[], $4::bigint[]) AS wanted (name, node, ttl) ORDER BY name
         ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until,
           epoch = CASE WHEN claim.node = excluded.node THEN claim.epoch ELSE excluded.epoch END
         WHERE claim.node = excluded.node OR claim.until <= ${NOW}
         RETURNING name, epoch`,
        values,
      );
      const answers = new Map<string, Claimed>(taken.map(({ name, epoch }) => [name, { epoch }]));
      if (answers.size === round.length) return answers;
      const { rows: held } = await this.#pool.query<{
        readonly name: string;
        readonly node: string;
        readonly left: number;
      }>(`SELECT name, node, until - ${NOW} AS left FROM ${this.#schema}.claims WHERE name = ANY($2::text[])`, [
        now,
        round.map(({ key }) => key),
      ]);
      for (const { name, node, left } of held) {
        if (!answers.has(name)) answers.set(name, { heldBy: decodeText(node), heldForMs: Math.max(0, left) });
      }
      if (answers.size === round.length) return answers;
    }
  }
}
