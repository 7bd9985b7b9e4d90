import { messagesIn } from '../known-events.ts';
import type { Rule } from '../rule.ts';
import { sentEntries } from './sent-entries.ts';

type Message = Readonly<Record<string, unknown>>;

export const addedUuidRules: readonly Rule[] = [
  {
    name: 'one-added-uuid',
    spec: 'REM-11',
    *check(observed) {
      for (const session of observed.sessions) {
        const entries = sentEntries(observed).filter((entry) => entry.session === session && !entry.isEphemeral);
        const known = new Set(entries.map(({ uuid }) => uuid));
        const times = new Map<string, number>();
        for (const { uuid, payload } of entries)
          if (uuid === '') times.set(contentOf(payload), (times.get(contentOf(payload)) ?? 0) + 1);
        if (times.size === 0) continue;
        const added = new Map<string, Set<unknown>>();
        const readings = observed.readings.filter((reading) => reading.session === session);
        for (const message of readings.flatMap(messagesIn)) {
          const content = contentOf(message);
          if (!times.has(content) || known.has(String(message['uuid']))) continue;
          added.set(content, (added.get(content) ?? new Set()).add(message['uuid']));
        }
        for (const [content, uuids] of added)
          if (uuids.size > (times.get(content) ?? 0))
            yield `A message that was sent without a uuid reached its readers with different uuids: ${[...uuids].join(', ')}.`;
      }
    },
  },
];

/** The members except `uuid`, in an order that does not depend on the writer. */
function contentOf({ uuid: _, ...members }: Message): string {
  return JSON.stringify(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
