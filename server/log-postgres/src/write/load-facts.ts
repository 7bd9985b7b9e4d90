import { claimedName, type KnownEvent } from '@proto/ingress/event-log';
import type { ClientBase, Pool } from 'pg';
import { byKey, encodeKey, encodeLong } from '../keys.ts';
import { decodeText } from '../text.ts';
import type { PendingWrite } from './pending-write.ts';
import type { KeptEvent, StreamFacts, StreamState } from './stream-state.ts';

/** The maximum number of old events that one decision considers. Further old events are dropped by the next write or by `expire`. */
const MAX_OLDEST = 5000;

interface StreamRow {
  readonly name: string;
  readonly id: number;
  readonly version: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly document_bytes: number;
  readonly written_at: number;
  readonly oldest_at: number | null;
}

/** The database, the settings and the limits with which facts are read. */
export interface FactsContext {
  readonly database: Pool | ClientBase;
  /** Whether the streams stay locked until the end of the transaction, so that no other node writes to them before that. */
  readonly locks: boolean;
  /** The schema name, as written in SQL. */
  readonly schema: string;
  /** Dropped events that are older than this are forgotten, so that their ids can be used again. */
  readonly cutoff: number;
  readonly maxBytes: number;
}

/** Reads everything that the decisions about these writes need. A stream without a row gets a row, which is not visible before the first write. */
export async function loadFacts(
  context: FactsContext,
  writes: ReadonlyMap<string, readonly PendingWrite[]>,
): Promise<Map<string, StreamFacts>> {
  const states = await loadStates(context, [...writes.keys()]);
  const wanted = [...states].map(([name, state]) => ({ name, state, writes: writes.get(name) ?? [] }));
  // These queries run one after the other, because in a transaction they share one connection.
  const known = await loadKnown(context, wanted);
  const documents = await loadDocumentSizes(context, wanted);
  const oldest = await loadOldestIfNeeded(context, wanted);
  const epochs = await loadEpochs(context, [...writes.keys()]);
  const factsOf = ({ name, state }: Wanted): StreamFacts => ({
    state,
    isRead: true,
    known: known.get(state.id) ?? new Map(),
    documents: documents.get(state.id) ?? new Map(),
    oldest: oldest.get(state.id) ?? [],
    epoch: epochs.get(claimedName(name)),
  });
  return new Map(wanted.map((one) => [one.name, factsOf(one)]));
}

interface Wanted {
  readonly name: string;
  readonly state: StreamState;
  readonly writes: readonly PendingWrite[];
}

async function loadStates(
  { database, schema, locks }: FactsContext,
  names: readonly string[],
): Promise<Map<string, StreamState>> {
  const byStored = byKey(names);
  const stored = [...byStored.keys()];
  // Rows are locked in the order of their names.
  await database.query(
    `INSERT INTO ${schema}.streams (name, long_name) SELECT name, long_name FROM unnest($1::text[], $2::text[]) AS wanted (name, long_name)
     WHERE NOT EXISTS (SELECT FROM ${schema}.streams AS present WHERE present.name = wanted.name) ORDER BY name
     ON CONFLICT (name) DO NOTHING`,
    [stored, [...byStored.values()].map(encodeLong)],
  );
  const { rows } = await database.query<StreamRow>(
    `SELECT name, id, version, first, last, bytes, document_bytes, written_at, oldest_at FROM ${schema}.streams
     WHERE name = ANY($1) ORDER BY id ${locks ? 'FOR UPDATE' : ''}`,
    [stored],
  );
  return new Map(rows.map((row) => [byStored.get(row.name) as string, stateOf(row)]));
}

function stateOf(row: StreamRow): StreamState {
  const { id, version, first, last, bytes } = row;
  const { document_bytes: documentBytes, written_at: writtenAt, oldest_at: oldestAt } = row;
  return { id, version, first, last, bytes, documentBytes, writtenAt, oldestAt };
}

async function loadKnown(
  { database, schema, cutoff }: FactsContext,
  wanted: readonly Wanted[],
): Promise<Map<number, Map<string, KnownEvent>>> {
  const ids = wanted.flatMap(({ state, writes }) =>
    writes.flatMap(({ work }) => {
      if (work.kind !== 'append') return [];
      const own = work.events.flatMap(({ id, spareId }) => (spareId === undefined ? [id] : [id, spareId]));
      return own.map((id) => ({ stream: state.id, id }));
    }),
  );
  if (ids.length === 0) return new Map();
  const names = byKey(ids.map(({ id }) => id));
  const values = [ids.map(({ stream }) => stream), ids.map(({ id }) => encodeKey(id))];
  const wantedIds = 'unnest($1::bigint[], $2::text[]) AS wanted (stream, id)';
  // The id of a dropped event is remembered only until the cutoff.
  await database.query(
    `DELETE FROM ${schema}.events AS event USING ${wantedIds}
     WHERE event.stream = wanted.stream AND event.id = wanted.id AND event.payload IS NULL AND event.created_at < $3`,
    [...values, cutoff],
  );
  const { rows } = await database.query<KnownRow>(
    `SELECT event.stream, event.id, sequence, created_at, owner, topic FROM ${schema}.events AS event
     JOIN ${wantedIds} ON event.stream = wanted.stream AND event.id = wanted.id`,
    values,
  );
  const known = new Map<number, Map<string, KnownEvent>>();
  for (const row of rows) {
    const ofStream = known.get(row.stream) ?? new Map<string, KnownEvent>();
    known.set(row.stream, ofStream.set(names.get(row.id) as string, knownOf(row)));
  }
  return known;
}

export interface KnownRow {
  readonly stream: number;
  readonly id: string;
  readonly sequence: number;
  readonly created_at: number;
  readonly owner: string | null;
  readonly topic: string | null;
}

export function knownOf({ sequence, created_at, owner, topic }: Omit<KnownRow, 'stream' | 'id'>): KnownEvent {
  return {
    sequence,
    createdAt: created_at,
    ...(owner !== null && { owner: decodeText(owner) }),
    ...(topic !== null && { topic: decodeText(topic) }),
  };
}

async function loadDocumentSizes(
  { database, schema }: FactsContext,
  wanted: readonly Wanted[],
): Promise<Map<number, Map<string, number>>> {
  const replaced = wanted.flatMap(({ state, writes }) =>
    writes.flatMap(({ work }) => (work.kind === 'document' ? [{ stream: state.id, name: work.name }] : [])),
  );
  const sizes = new Map<number, Map<string, number>>();
  if (replaced.length === 0) return sizes;
  const names = byKey(replaced.map(({ name }) => name));
  const { rows } = await database.query<{ readonly stream: number; readonly name: string; readonly text: string }>(
    `SELECT stream, name, text FROM ${schema}.documents WHERE (stream, name) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
    [replaced.map(({ stream }) => stream), replaced.map(({ name }) => encodeKey(name))],
  );
  for (const { stream, name, text } of rows) {
    const ofStream = sizes.get(stream) ?? new Map<string, number>();
    sizes.set(stream, ofStream.set(names.get(name) as string, Buffer.byteLength(decodeText(text))));
  }
  return sizes;
}

async function loadOldestIfNeeded(
  { database, schema, cutoff, maxBytes }: FactsContext,
  wanted: readonly Wanted[],
): Promise<Map<number, KeptEvent[]>> {
  const growth = (writes: readonly PendingWrite[]) => writes.reduce((sum, write) => sum + write.growth, 0);
  const streams = wanted.flatMap(({ state, writes }) => {
    const isOld = state.oldestAt !== null && state.oldestAt < cutoff;
    return isOld || state.bytes + growth(writes) > maxBytes ? [state] : [];
  });
  const oldest = new Map<number, KeptEvent[]>();
  if (streams.length === 0) return oldest;
  const { rows } = await database.query<{ stream: number; sequence: number; bytes: number; created_at: number }>(
    `SELECT wanted.id AS stream, sequence, bytes, created_at FROM unnest($1::bigint[], $2::bigint[]) AS wanted (id, first),
     LATERAL (SELECT sequence, bytes, created_at FROM ${schema}.events WHERE stream = wanted.id AND sequence >= wanted.first
       ORDER BY sequence LIMIT ${MAX_OLDEST}) AS event ORDER BY 1, 2`,
    [streams.map(({ id }) => id), streams.map(({ first }) => first)],
  );
  for (const { stream, sequence, bytes, created_at } of rows) {
    const ofStream = oldest.get(stream) ?? [];
    oldest.set(stream, ofStream);
    ofStream.push({ sequence, bytes, createdAt: created_at });
  }
  return oldest;
}

async function loadEpochs({ database, schema }: FactsContext, names: readonly string[]): Promise<Map<string, number>> {
  const claimed = byKey(names.map(claimedName));
  const { rows } = await database.query<{ readonly name: string; readonly epoch: number }>(
    `SELECT name, epoch FROM ${schema}.claims WHERE name = ANY($1)`,
    [[...claimed.keys()]],
  );
  return new Map(rows.map(({ name, epoch }) => [claimed.get(name) as string, epoch]));
}
