import {
  type Appended,
  EventLogError,
  type EventPage,
  type KnownEvent,
  type NewEvent,
  type ReadLimits,
  type StoredEvent,
  type Usage,
} from './event-log.ts';

/** What an append does with one event: keeps it under an id, or tells what it has instead. */
export type Placement = { readonly keepAs: string } | { readonly found: Appended };

/** Decides under which id an event is kept, by what is known of its id and of its spare id; see `EventLog.append`. */
export function placementOf(event: NewEvent, known: (id: string) => KnownEvent | undefined): Placement {
  const holder = known(event.id);
  if (holder === undefined) return { keepAs: event.id };
  if (isSame(holder, event)) return found(event.id, holder, { duplicate: true });
  if (event.spareId !== undefined) {
    const spare = known(event.spareId);
    if (spare === undefined) return { keepAs: event.spareId };
    if (isSame(spare, event)) return found(event.spareId, spare, { duplicate: true });
  }
  return found(event.id, holder, { duplicate: false, taken: true });
}

/** Whether an event under the id of a known one is that event once more: of the same owner, or somebody else's echo of it. */
function isSame(known: KnownEvent, { owner, echoes }: NewEvent): boolean {
  return known.owner === owner || (echoes !== undefined && known.topic === echoes);
}

function found(
  id: string,
  { sequence, createdAt }: KnownEvent,
  outcome: Pick<Appended, 'duplicate' | 'taken'>,
): Placement {
  return { found: { id, sequence, createdAt, ...outcome } };
}

const DEFAULT_MAX_PAGE_EVENTS = 500;
const DEFAULT_MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Where a read stands in its stream. `first`: the oldest event that is kept, or one past `last` where none is. */
interface Place {
  readonly after: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Takes events up to the limits, never more of them from the store than needed, and tells what is missing before them. Where no event is
 * left, all the places up to `last` are missing: a reader that waits for them would read for ever.
 */
export function pageOf(source: Iterable<StoredEvent>, { after, first, last }: Place, limits: ReadLimits): EventPage {
  const { maxEvents = DEFAULT_MAX_PAGE_EVENTS, maxBytes = DEFAULT_MAX_PAGE_BYTES } = limits;
  const events: StoredEvent[] = [];
  let bytes = 0;
  for (const event of source) {
    bytes += Buffer.byteLength(event.payload);
    if (events.length > 0 && bytes > maxBytes) break;
    events.push(event);
    if (events.length >= maxEvents) break;
  }
  const missing = { from: after + 1, to: events.length === 0 ? last : first - 1 };
  return missing.from <= missing.to ? { events, last, missing } : { events, last };
}

/** Whether a stream counts as one of `Usage.streams`: no part of another stream, and none of the server itself. */
export function isCounted(stream: string): boolean {
  return !stream.includes('/') && !stream.startsWith('@');
}

/** Whether a write has to be taken back: it made the store larger than it may be. One that makes it smaller is always right. */
export function exceedsLimit(before: Usage, after: Usage, maxTotalBytes: number): boolean {
  return after.bytes > maxTotalBytes && after.bytes > before.bytes;
}

/** What such a write rejects with. */
export function storeFull(maxTotalBytes: number): EventLogError {
  return new EventLogError('full', `event log: full, at its limit of ${maxTotalBytes} bytes; what expires makes room`);
}
