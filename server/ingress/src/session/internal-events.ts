import { yieldToEventLoop } from '../event-loop.ts';
import { idOf, type JsonObject, stringOf } from '../json/values.ts';
import type { EventLog, NewEvent, StoredEvent } from '../log/event-log.ts';
import type { Entry } from './entry.ts';
import { attributesOf, payloadOf } from './session-event.ts';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;
/** The maximum length of the text in a page, in UTF-16 units. A page always has at least one row. */
const MAX_PAGE_LENGTH = 16 * 1024 * 1024;

/** Which rows of a transcript to read. */
export interface InternalQuery {
  /** True for the rows of subagents, false for the rows of the main conversation. */
  readonly subagents: boolean;
  /** Reads only rows of this subagent. */
  readonly agentId?: string | undefined;
  /** Whether to read the whole conversation, and not only the part since its last compaction. */
  readonly fromFirst: boolean;
  /** The sequence number at the end of the previous page. */
  readonly cursor?: number | undefined;
  readonly afterEventId?: string | undefined;
  readonly limit?: number | undefined;
}

export interface InternalEntry {
  readonly entry: Entry;
  /** The members of the row other than the message. */
  readonly members: JsonObject;
}

/** A page of rows, as on the wire. */
export interface InternalPage {
  readonly data: readonly JsonObject[];
  readonly next_cursor?: string;
}

/** The transcript of a session: rows in a separate stream, from which the next worker rebuilds the conversation. */
export interface InternalEvents {
  append(entries: readonly InternalEntry[]): Promise<void>;
  /** Reads a page; undefined for an unknown `afterEventId`. */
  read(query: InternalQuery): Promise<InternalPage | undefined>;
}

export function createInternalEvents(log: EventLog, session: string): InternalEvents {
  const stream = `${session}/internal`;
  return {
    async append(entries) {
      const events = entries.map(newRow).filter((row) => row !== undefined);
      if (events.length > 0) await log.append(stream, events);
    },
    async read({ fromFirst, cursor, afterEventId, limit = DEFAULT_PAGE, ...which }) {
      const wanted = (after: number) => rows(log, stream, after, which);
      let after = cursor ?? 0;
      if (cursor === undefined && afterEventId !== undefined) {
        const before = await log.find(stream, afterEventId);
        if (before === undefined) return undefined;
        after = before.sequence;
      } else if (cursor === undefined && !fromFirst && !which.subagents) {
        for await (const row of wanted(0)) if (attributesOf(row)['is_compaction'] === true) after = row.sequence - 1;
      }
      const most = Math.max(1, Math.min(limit, MAX_PAGE));
      const page: StoredEvent[] = [];
      let length = 0;
      const further = await find(wanted(after), (row) => {
        length += row.payload.length;
        if (page.length >= most || (page.length > 0 && length > MAX_PAGE_LENGTH)) return true;
        page.push(row);
        return false;
      });
      const data = page.map(wireRow).filter((row) => row !== undefined);
      return { data, ...(further && { next_cursor: String(page.at(-1)?.sequence) }) };
    },
  };
}

async function* rows(
  log: EventLog,
  stream: string,
  cursor: number,
  which: Pick<InternalQuery, 'subagents' | 'agentId'>,
): AsyncGenerator<StoredEvent> {
  for (let after = cursor; ; ) {
    const { events } = await log.read(stream, after);
    if (events.length === 0) return;
    yield* events.filter((row) => isOf(row, which));
    after = events.at(-1)?.sequence ?? after;
    // Lets other work run between the pages of a long transcript.
    await yieldToEventLoop();
  }
}

async function find(source: AsyncIterable<StoredEvent>, matches: (row: StoredEvent) => boolean) {
  for await (const row of source) if (matches(row)) return row;
  return undefined;
}

function newRow({ entry, members }: InternalEntry): NewEvent | undefined {
  const { is_compaction, session_agent_id } = members;
  const agentId = idOf(session_agent_id);
  // No query could contain this subagent id, so the row is left out.
  if (agentId === undefined && typeof session_agent_id === 'string') return undefined;
  const attributes = JSON.stringify({ is_compaction: is_compaction === true, session_agent_id: agentId });
  return { id: entry.id, type: entry.type, source: 'worker', payload: entry.text, attributes };
}

function isOf(row: StoredEvent, { subagents, agentId }: Pick<InternalQuery, 'subagents' | 'agentId'>): boolean {
  const owner = stringOf(attributesOf(row)['session_agent_id']);
  return agentId === undefined ? (owner !== undefined) === subagents : owner === agentId;
}

function wireRow(row: StoredEvent): JsonObject | undefined {
  const payload = payloadOf(row);
  if (payload === undefined) return undefined;
  const { id, type, createdAt } = row;
  const { is_compaction = false, session_agent_id } = attributesOf(row);
  return {
    event_id: id,
    event_type: type,
    payload,
    event_metadata: null,
    is_compaction,
    created_at: new Date(createdAt).toISOString(),
    ...(session_agent_id !== undefined && { session_agent_id }),
  };
}
