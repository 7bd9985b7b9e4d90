import type { Appended, KnownEvent, NewEvent } from './event-log.ts';

/** What an append does with one event: keeps it under an id, or tells what it has instead. */
export type Placement = { readonly keepAs: string } | { readonly found: Appended };

/** Decides under which id an event is kept, by what is known of its id and of its spare id; see `EventLog.append`. */
export function placeOf(event: NewEvent, known: (id: string) => KnownEvent | undefined): Placement {
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
