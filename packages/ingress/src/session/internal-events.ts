import { isObject, type JsonObject, objectOf, stringOf } from '../json.ts';
import type { EventLog, NewEvent, StoredEvent } from '../log/event-log.ts';
import { entryOf } from './entry.ts';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

/** Which rows of a transcript are asked for. */
export interface InternalQuery {
  /** Rows of subagents, or those of the main conversation. */
  readonly subagents: boolean;
  /** Only of this subagent. */
  readonly agentId?: string | undefined;
  /** The whole conversation, and not from its last compaction on. */
  readonly fromFirst: boolean;
  /** Where a page before ended: a sequence number. */
  readonly cursor?: string | undefined;
  readonly afterEventId?: string | undefined;
  readonly limit?: number | undefined;
}

/** A page of rows, as on the wire. */
export interface InternalPage {
  readonly data: readonly JsonObject[];
  readonly next_cursor?: string;
}

/** The rows from which a worker rebuilds its conversation; a stream of its own beside that of the session. */
export interface InternalEvents {
  append(entries: readonly unknown[]): Promise<void>;
  /** Undefined where `afterEventId` is unknown. */
  read(query: InternalQuery): Promise<InternalPage | undefined>;
}

/** Keeps the rows of one session. */
export function createInternalEvents(log: EventLog, session: string): InternalEvents {
  const stream = `${session}/internal`;
  return {
    async append(entries) {
      const events = entries.map(newRow).filter((row) => row !== undefined);
      if (events.length > 0) await log.append(stream, events);
    },
    async read({ fromFirst, cursor, afterEventId, limit = DEFAULT_PAGE, ...which }) {
      const wanted = (await all(log, stream)).filter((row) => isOf(row, which));
      const compaction = wanted.findLastIndex((row) => attributesOf(row)['is_compaction'] === true);
      let rows = fromFirst || which.subagents ? wanted : wanted.slice(Math.max(0, compaction));
      if (afterEventId !== undefined) {
        const index = wanted.findIndex(({ id }) => id === afterEventId);
        if (index < 0) return undefined;
        rows = wanted.slice(index + 1);
      }
      const after = Number(cursor ?? 0);
      const left = rows.filter(({ sequence }) => sequence > after);
      const page = left.slice(0, Math.max(1, Math.min(limit, MAX_PAGE)));
      const last = page.at(-1);
      return {
        data: page.map(wireRow),
        ...(last !== undefined && page.length < left.length && { next_cursor: String(last.sequence) }),
      };
    },
  };
}

function newRow(value: unknown): NewEvent | undefined {
  const entry = entryOf(value);
  if (entry === undefined) return undefined;
  const { is_compaction, session_agent_id, preserved_event_ids } = objectOf(value);
  const attributes = JSON.stringify({ is_compaction: is_compaction === true, session_agent_id, preserved_event_ids });
  return { id: entry.id, type: entry.type, source: 'worker', payload: entry.text, attributes };
}

/** A transcript is read at the start of a worker, as a whole. */
async function all(log: EventLog, stream: string): Promise<readonly StoredEvent[]> {
  const rows: StoredEvent[] = [];
  for (let after = 0; ; ) {
    const { events } = await log.read(stream, after);
    if (events.length === 0) return rows;
    rows.push(...events);
    after = events.at(-1)?.sequence ?? after;
  }
}

function isOf(row: StoredEvent, { subagents, agentId }: Pick<InternalQuery, 'subagents' | 'agentId'>): boolean {
  const owner = stringOf(attributesOf(row)['session_agent_id']);
  return agentId === undefined ? (owner !== undefined) === subagents : owner === agentId;
}

function attributesOf({ attributes }: StoredEvent): JsonObject {
  const value: unknown = JSON.parse(attributes ?? '{}');
  return isObject(value) ? value : {};
}

function wireRow(row: StoredEvent): JsonObject {
  const { id, type, payload, createdAt } = row;
  const { is_compaction = false, session_agent_id } = attributesOf(row);
  return {
    event_id: id,
    event_type: type,
    payload: JSON.parse(payload),
    event_metadata: null,
    is_compaction,
    created_at: new Date(createdAt).toISOString(),
    ...(session_agent_id !== undefined && { session_agent_id }),
  };
}
