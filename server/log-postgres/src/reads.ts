import {
  type EventPage,
  type KnownEvent,
  pageOf,
  type ReadLimits,
  readLimitDefaults,
  type StoredEvent,
  type StreamsQuery,
} from '@proto/ingress/event-log';
import type { Pool } from 'pg';
import { byKey, encodeKey } from './keys.ts';
import { decodeText, encodeText } from './text.ts';
import { knownOf, type KnownRow } from './write/load-facts.ts';

interface EventRow {
  readonly first: number;
  readonly last: number;
  /** The position of the event; null if the stream has no event after the cursor. */
  readonly sequence: number | null;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly payload: string;
  readonly attributes: string | null;
  readonly created_at: number;
  readonly owner: string | null;
  readonly topic: string | null;
}

export class PostgresReads {
  readonly #pool: Pool;
  readonly #schema: string;

  constructor(pool: Pool, schema: string) {
    this.#pool = pool;
    this.#schema = schema;
  }

  async read(stream: string, after: number, limits: ReadLimits = {}): Promise<EventPage> {
    const { maxEvents = readLimitDefaults.maxEvents, maxBytes = readLimitDefaults.maxBytes } = limits;
    // A single statement is used, so that the events and the range of the stream are from the same moment. The first event is read whatever its size.
    const { rows } = await this.#pool.query<EventRow>({
      name: 'read',
      text: `SELECT first, last, event.* FROM ${this.#schema}.streams AS stream LEFT JOIN LATERAL (
          SELECT sequence, coalesce(long_id, id) AS id, type, source, payload, attributes, created_at, owner, topic FROM (
            SELECT *, sum(bytes) OVER (ORDER BY sequence) - bytes AS before FROM (
              SELECT * FROM ${this.#schema}.events
              WHERE stream = stream.id AND sequence > $2 AND sequence >= stream.first ORDER BY sequence LIMIT $3
            ) AS page
          ) AS sized WHERE before < $4 ORDER BY sequence
        ) AS event ON true WHERE name = $1 AND version > 0 ORDER BY sequence`,
      values: [encodeKey(stream), after, maxEvents, maxBytes],
    });
    const [row] = rows;
    if (row === undefined) return { events: [], last: 0 };
    const { first, last } = row;
    return pageOf(row.sequence === null ? [] : rows.map(eventOf), { after, first, last }, limits);
  }

  /** The last event that a stream has in common with an earlier identity; 0 for an identity that the store never had. */
  async commonWith(stream: string, identity: string): Promise<number> {
    const { rows } = await this.#pool.query<{ readonly last: number }>(
      `SELECT earlier.last FROM ${this.#schema}.earlier JOIN ${this.#schema}.streams AS stream ON stream.id = earlier.stream
       WHERE stream.name = $1 AND earlier.identity = $2`,
      [encodeKey(stream), encodeText(identity)],
    );
    return rows[0]?.last ?? 0;
  }

  async find(stream: string, id: string): Promise<KnownEvent | undefined> {
    const { rows } = await this.#pool.query<Omit<KnownRow, 'stream' | 'id'>>(
      `SELECT sequence, event.created_at, owner, topic FROM ${this.#schema}.events AS event
       JOIN ${this.#schema}.streams AS stream ON stream.id = event.stream WHERE stream.name = $1 AND event.id = $2`,
      [encodeKey(stream), encodeKey(id)],
    );
    return rows[0] && knownOf(rows[0]);
  }

  async readDocument(stream: string, name: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ readonly text: string }>(
      `SELECT text FROM ${this.#schema}.documents AS document JOIN ${this.#schema}.streams AS stream ON stream.id = document.stream
       WHERE stream.name = $1 AND document.name = $2`,
      [encodeKey(stream), encodeKey(name)],
    );
    return rows[0] && decodeText(rows[0].text);
  }

  async listStreams({ before, limit }: StreamsQuery): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ readonly name: string }>(
      `SELECT coalesce(long_name, name) AS name FROM ${this.#schema}.streams WHERE version > 0 AND strpos(name, '/') = 0 AND left(name, 1) <> '@'
         AND ($1::text IS NULL OR id < (SELECT id FROM ${this.#schema}.streams WHERE name = $1 AND version > 0))
       ORDER BY id DESC LIMIT $2`,
      [before === undefined ? null : encodeKey(before), limit],
    );
    return rows.map(({ name }) => decodeText(name));
  }

  /** Returns the last sequence numbers of the given streams. Streams that do not exist are left out. */
  async lastOf(streams: readonly string[]): Promise<Map<string, number>> {
    const names = byKey(streams);
    const { rows } = await this.#pool.query<{ readonly name: string; readonly last: number }>(
      `SELECT name, last FROM ${this.#schema}.streams WHERE name = ANY($1)`,
      [[...names.keys()]],
    );
    return new Map(rows.map(({ name, last }) => [names.get(name) as string, last]));
  }
}

function eventOf(row: EventRow): StoredEvent {
  const { attributes, owner, topic } = row;
  return {
    sequence: row.sequence as number,
    id: decodeText(row.id),
    type: decodeText(row.type),
    source: decodeText(row.source),
    payload: decodeText(row.payload),
    ...(attributes !== null && { attributes: decodeText(attributes) }),
    ...(owner !== null && { owner: decodeText(owner) }),
    ...(topic !== null && { topic: decodeText(topic) }),
    createdAt: row.created_at,
  };
}
