import type { Observed } from '../../observed.ts';
import { knownEvents } from '../known-events.ts';
import { isBefore, type SentEntry, sentEntries } from '../remote-sessions/sent-entries.ts';
import type { Rule } from '../rule.ts';

/** A message that the server takes for a repetition must have been stored before. */
export const repetitionRules: readonly Rule[] = [
  noRepetitionOf('new-message-is-stored', 'RES-7', (others) => others.length === 0),
  noRepetitionOf(
    'message-of-a-conflict-is-new',
    'WRK-5',
    (others) => others.length > 0 && others.every(({ carrier }) => carrier !== undefined && statusOf(carrier) === 409),
  ),
  {
    name: 'echo-is-a-repetition',
    spec: 'RES-9',
    *check(observed) {
      const sent = entriesByUuid(observed);
      for (const session of observed.sessions)
        for (const { isOfWorker, payload } of knownEvents(observed, session)) {
          if (!isOfWorker) continue;
          const entries = sent.get(`${session} ${String(payload['uuid'])}`) ?? [];
          const [echoes, others] = [entries.filter((entry) => entry.isOfWorker), entries.filter(isTakenFromViewer)];
          const isEcho = (echo: SentEntry) => others.some((other) => isSame(other, echo) && isBefore(other, echo));
          if (echoes.length > 0 && echoes.every(isEcho))
            yield `The worker's repetition of the message ${String(payload['uuid'])} from a viewer became an event.`;
        }
    },
  },
];

function isTakenFromViewer({ isOfWorker, isTaken }: SentEntry): boolean {
  return !isOfWorker && isTaken;
}

/** Whether two messages have the same type and, if they are control responses, answer the same request. */
function isSame(one: SentEntry, other: SentEntry): boolean {
  const idOf = ({ payload }: SentEntry): unknown => Object(payload['response']).request_id;
  return one.payload['type'] === other.payload['type'] && idOf(one) === idOf(other);
}

function noRepetitionOf(name: string, spec: string, isNew: (others: readonly SentEntry[]) => boolean): Rule {
  return {
    name,
    spec,
    *check(observed: Observed) {
      for (const entries of entriesByUuid(observed).values())
        for (const entry of entries) {
          if (!entry.isRepetition || !isNew(entries.filter((other) => other !== entry))) continue;
          yield `The server took the message ${entry.uuid} for a repetition, but has not stored it before in the session "${entry.session}".`;
        }
    },
  };
}

function entriesByUuid(observed: Observed): ReadonlyMap<string, readonly SentEntry[]> {
  const all = new Map<string, SentEntry[]>();
  for (const entry of sentEntries(observed)) {
    const key = `${entry.session} ${entry.uuid}`;
    const list = all.get(key) ?? [];
    list.push(entry);
    all.set(key, list);
  }
  return all;
}

function statusOf(carrier: object): unknown {
  return 'status' in carrier ? carrier.status : undefined;
}
