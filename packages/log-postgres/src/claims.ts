import { type Claimed, claimedName } from '@proto/ingress/event-log';
import type { Pool } from 'pg';
import { decodeText, encodeText } from './text.ts';

interface WaitingClaim {
  readonly node: string;
  readonly ttlMs: number;
  resolve(claimed: Claimed): void;
  reject(error: unknown): void;
}

/** The clock of the server, unless a test gives the time. */
const NOW = 'coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

/** The claims of one node. Those of one turn of the event loop are one statement, because a node renews many at once. */
export class PostgresClaims {
  readonly #pool: Pool;
  readonly #schema: string;
  readonly #now: (() => number) | undefined;
  #waiting = new Map<string, WaitingClaim[]>();

  /** @param now the clock in tests; otherwise the clock of the server, which all nodes share. */
  constructor(pool: Pool, schema: string, now: (() => number) | undefined) {
    this.#pool = pool;
    this.#schema = schema;
    this.#now = now;
  }

  claim(stream: string, node: string, ttlMs: number): Promise<Claimed> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size === 0) setImmediate(() => void this.#send());
      const name = claimedName(stream);
      const waiting = this.#waiting.get(name) ?? [];
      waiting.push({ node, ttlMs, resolve, reject });
      this.#waiting.set(name, waiting);
    });
  }

  async release(stream: string, epoch: number): Promise<void> {
    const values = [encodeText(claimedName(stream)), epoch];
    await this.#pool.query(`DELETE FROM ${this.#schema}.claims WHERE name = $1 AND epoch = $2`, values);
  }

  /** Forgets claims that ran out that long ago. */
  async expire(maxAgeMs: number): Promise<void> {
    await this.#pool.query(`DELETE FROM ${this.#schema}.claims WHERE until < ${NOW} - $2`, [this.#now?.(), maxAgeMs]);
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    // Several claims on one name are several statements, one after the other.
    while (waiting.size > 0) {
      const round = [...waiting].map(([name, claims]) => ({ name, claim: claims.shift() as WaitingClaim }));
      for (const [name, claims] of waiting) if (claims.length === 0) waiting.delete(name);
      try {
        const answers = await this.#claim(round);
        for (const { name, claim } of round) claim.resolve(answers.get(name) as Claimed);
      } catch (error) {
        for (const { claim } of round) claim.reject(error);
      }
    }
  }

  async #claim(
    round: readonly { readonly name: string; readonly claim: WaitingClaim }[],
  ): Promise<Map<string, Claimed>> {
    const now = this.#now?.();
    const values = [
      now,
      round.map(({ name }) => encodeText(name)),
      round.map(({ claim }) => encodeText(claim.node)),
      round.map(({ claim }) => claim.ttlMs),
    ];
    // A claim that another node has just taken back or lost is tried again: the two statements see different moments.
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
      const answers = new Map<string, Claimed>(taken.map(({ name, epoch }) => [decodeText(name), { epoch }]));
      if (answers.size === round.length) return answers;
      const { rows: held } = await this.#pool.query<{
        readonly name: string;
        readonly node: string;
        readonly left: number;
      }>(`SELECT name, node, until - ${NOW} AS left FROM ${this.#schema}.claims WHERE name = ANY($2::text[])`, [
        now,
        round.map(({ name }) => encodeText(name)),
      ]);
      for (const { name, node, left } of held) {
        const key = decodeText(name);
        if (!answers.has(key)) answers.set(key, { heldBy: decodeText(node), heldForMs: Math.max(0, left) });
      }
      if (answers.size === round.length) return answers;
    }
  }
}
