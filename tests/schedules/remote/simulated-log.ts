import { createMemoryEventLog, type EventLog, type StoredEvent } from '@proto/ingress';
import type { Kept } from './world.ts';

/** Small enough that two long series of messages push out older events, and large enough that a checkpoint is stored before that. */
const MAX_BYTES = 64 * 1024;

/** A log that outlives its servers and drops old events, with a record of all events it ever had. */
export function createSimulatedLog(now: () => number): { readonly log: EventLog; readonly kept: Kept } {
  const log = createMemoryEventLog({ now, maxBytes: MAX_BYTES });
  const all = new Map<string, StoredEvent[]>();
  const eventsOf = (session: string) => all.get(session) ?? [];
  const append: EventLog['append'] = async (stream, events, condition) => {
    const appended = await log.append(stream, events, condition);
    for (const [index, { id, sequence, createdAt, duplicate, taken }] of appended.entries()) {
      const event = events[index];
      if (event === undefined || duplicate || taken === true) continue;
      const { type, source, payload, attributes, owner } = event;
      const rest = { ...(attributes !== undefined && { attributes }), ...(owner !== undefined && { owner }) };
      const known = all.get(stream) ?? [];
      all.set(stream, known);
      known.push({ sequence, id, type, source, payload, createdAt, ...rest });
    }
    return appended;
  };
  const kept: Kept = {
    events: async (session) => eventsOf(session),
    last: async (session) => eventsOf(session).length,
    dropped: async (session) => (await log.read(session, 0, { maxEvents: 1 })).missing?.to ?? 0,
    placeOf: (session, id) => eventsOf(session).find((event) => event.id === id)?.sequence,
  };
  return { log: { ...log, append }, kept };
}
