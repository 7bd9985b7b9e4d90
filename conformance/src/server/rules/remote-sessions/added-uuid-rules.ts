import { messagesIn, readingsOfSessions } from '../known-events.ts';
import { receivedBy, type Rule } from '../rule.ts';
import { reportsGap } from './complete-rules.ts';
import { entriesOfSession, type SentEntry } from './sent-entries.ts';

type Message = Readonly<Record<string, unknown>>;

export const addedUuidRules: readonly Rule[] = [
  {
    name: 'one-added-uuid',
    spec: 'REM-11',
    *check(observed) {
      for (const session of observed.sessions) {
        const entries = entriesOfSession(observed, session).filter((entry) => !entry.isEphemeral);
        const known = new Set(entries.map(({ uuid }) => uuid));
        const times = timesOf(entries.flatMap(({ uuid, payload }) => (uuid === '' ? [contentOf(payload)] : [])));
        if (times.size === 0) continue;
        const added = new Map<string, Set<unknown>>();
        const readings = readingsOfSessions(observed).get(session) ?? [];
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
  {
    name: 'every-message-without-a-uuid',
    spec: 'RES-1',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'stream' || reading.isWorker || reading.latest > 0 || reportsGap(reading)) continue;
        const entries = entriesOfSession(observed, reading.session);
        const got = messagesIn(reading);
        const uuids = new Set(got.map(({ uuid }) => uuid));
        // A message that was sent after the stream was opened shows that the stream has reached the end of the log.
        if (!entries.some(({ began, uuid, times }) => times === 1 && began > reading.opened && uuids.has(uuid)))
          continue;
        const known = new Set<unknown>(entries.map(({ uuid }) => uuid));
        const added = got.filter(({ uuid }) => !known.has(uuid)).map(contentOf);
        const isMeant = ({ uuid, payload, isTaken, ended }: SentEntry) =>
          uuid === '' && payload['type'] === 'user' && isTaken && ended < reading.opened;
        const sent = entries.filter(isMeant).map(({ payload }) => contentOf(payload));
        const [timesSent, timesAdded] = [timesOf(sent), timesOf(added)];
        const lost = sent.find((content) => (timesAdded.get(content) ?? 0) < (timesSent.get(content) ?? 0));
        if (lost !== undefined)
          yield `${receivedBy(reading.party)}the whole log, but not each message without a uuid: ${lost} was sent ${timesSent.get(lost)} times and received ${timesAdded.get(lost) ?? 0} times.`;
      }
    },
  },
];

function timesOf(contents: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const content of contents) times.set(content, (times.get(content) ?? 0) + 1);
  return times;
}

/** The members except `uuid` and those that a server removes, in an order that does not depend on the writer. */
function contentOf({ uuid: _, ccr_event: __, ...members }: Message): string {
  return JSON.stringify(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
