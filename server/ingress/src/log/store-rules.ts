import {
  type Appended,
  EventLogError,
  type EventPage,
  type KnownEvent,
  type NewEvent,
  type ReadLimits,
  type StoredEvent,
  type Usage,
  type WriteCondition,
} from './event-log.ts';

/** What an append does with one event: it stores the event under an id, or returns the result for the earlier event. */
export type Placement = { readonly keepAs: string } | { readonly found: Appended };

/** Decides under which id an event is stored, from the known facts about its id and its spare id; see `EventLog.append`. */
export function placementOf(event: NewEvent, known: (id: string) => KnownEvent | undefined): Placement {
  const holder = known(event.id);
  if (holder === undefined) return { keepAs: event.id };
  if (isSameEvent(holder, event)) return found(event.id, holder, { duplicate: true });
  if (event.spareId !== undefined) {
    const spare = known(event.spareId);
    if (spare === undefined) return { keepAs: event.spareId };
    if (isSameEvent(spare, event)) return found(event.spareId, spare, { duplicate: true });
  }
  return found(event.id, holder, { duplicate: false, taken: true });
}

function isSameEvent(known: KnownEvent, { owner, echoes }: NewEvent): boolean {
  return known.owner === owner || (echoes !== undefined && known.topic === echoes);
}

function found(
  id: string,
  { sequence, createdAt }: KnownEvent,
  outcome: Pick<Appended, 'duplicate' | 'taken'>,
): Placement {
  return { found: { id, sequence, createdAt, ...outcome } };
}

/** Returns the event as a store keeps it after an append. */
export function storedEvent(
  event: NewEvent,
  { id, sequence, createdAt }: Pick<Appended, 'id' | 'sequence' | 'createdAt'>,
): StoredEvent {
  const { type, source, payload, attributes, owner, topic } = event;
  return { sequence, id, type, source, payload, attributes, owner, topic, createdAt };
}

/** The defaults of `ReadLimits`: 500 events, 4 MiB. */
export const readLimitDefaults = { maxEvents: 500, maxBytes: 4 * 1024 * 1024 } as const;

/** `first` is the oldest event that is kept, or `last + 1` if the stream has no events. */
interface Place {
  readonly after: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Collects events up to the limits, reads no more than needed, and reports the missing positions before them. If the page has no events, all
 * positions up to `last` are reported as missing, because a reader that waited for them would wait forever.
 */
export function pageOf(source: Iterable<StoredEvent>, { after, first, last }: Place, limits: ReadLimits): EventPage {
  const { maxEvents = readLimitDefaults.maxEvents, maxBytes = readLimitDefaults.maxBytes } = limits;
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

/** Whether a stream counts in `Usage.streams`: it is neither a part of another stream nor a stream of the server. */
export function isCounted(stream: string): boolean {
  return !stream.includes('/') && !stream.startsWith('@');
}

/** Whether a write exceeds the limit of the store. A write that makes the store smaller is always allowed. */
export function exceedsLimit(before: Usage, after: Usage, maxTotalBytes: number): boolean {
  return after.bytes > maxTotalBytes && after.bytes > before.bytes;
}

/** The error for a write that exceeds the limit of the store. */
export function storeFull(maxTotalBytes: number): EventLogError {
  return new EventLogError(
    'full',
    `event log: the log has reached its limit of ${maxTotalBytes} bytes; wait until old events expire, or raise the limit`,
  );
}

/**
 * Returns the name under which a stream is claimed. A stream and its parts share one claim, so that a node that loses a session loses all of its
 * streams at once.
 */
export function claimedName(stream: string): string {
  const end = stream.indexOf('/');
  return end === -1 ? stream : stream.slice(0, end);
}

/**
 * Returns why a write may not be stored, given the epoch of the claim and the last sequence number of its stream; undefined if its condition is met.
 */
export function refusalOf(
  condition: WriteCondition,
  claimed: number | undefined,
  last: () => number,
): EventLogError | undefined {
  const { after, epoch } = condition;
  if (epoch !== undefined && claimed !== epoch) {
    const message = `event log: epoch ${epoch} no longer has the claim; stop writing, claim the stream again and continue to read`;
    return new EventLogError('fenced', message);
  }
  if (after === undefined) return undefined;
  const present = last();
  if (present === after) return undefined;
  const message = `event log: the stream is at ${present}, not at ${after}; read the new events and decide again`;
  return new EventLogError('conflict', message);
}
