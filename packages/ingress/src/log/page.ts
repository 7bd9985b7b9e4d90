import type { EventPage, ReadLimits, StoredEvent } from './event-log.ts';

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
