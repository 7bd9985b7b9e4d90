import { isObject, shortJson } from '@proto/testkit/steps';

import type { Exchange, Observed } from '../../observed.ts';
import { jsonOf } from '../known-events.ts';
import type { Rule } from '../rule.ts';

interface Row {
  readonly uuid: unknown;
  readonly isOfSubagent: boolean;
}

/** An answer with rows of the transcript, and all rows that were stored before it. */
interface Read {
  readonly uuids: readonly unknown[];
  readonly stored: readonly Row[];
  readonly withSubagents: boolean;
  /** Whether the answer contains the last row that it may contain. */
  readonly isToTheEnd: boolean;
}

/** The rules about the rows that a worker reads: they must be the rows that workers have stored before. */
export const transcriptRules: readonly Rule[] = [
  eachRead('order-of-rows', 'WRK-49', ({ uuids, stored }) => {
    const places = uuids.map((uuid) => stored.findIndex((row) => row.uuid === uuid));
    const at = places.findIndex((place, index) => index > 0 && place < (places[index - 1] ?? 0));
    return at === -1 ? undefined : `the row ${shortJson(uuids[at])} follows a row that was stored later`;
  }),
  eachRead('rows-of-subagents', 'WRK-50', ({ uuids, stored, withSubagents }) => {
    const row = withSubagents
      ? undefined
      : stored.find(({ uuid, isOfSubagent }) => isOfSubagent && uuids.includes(uuid));
    return row && `it contains the row ${shortJson(row.uuid)} of a subagent, which was not requested`;
  }),
  eachRead('one-row-for-a-uuid', 'WRK-47', ({ uuids, stored, withSubagents, isToTheEnd }) => {
    const twice = uuids.find((uuid, at) => uuids.indexOf(uuid) !== at);
    if (twice !== undefined) return `it contains the row ${shortJson(twice)} twice`;
    // Whether rows of the main conversation belong to an answer with rows of subagents is not defined.
    if (withSubagents || uuids.length === 0) return undefined;
    const wanted = stored.filter(({ isOfSubagent }) => !isOfSubagent).map(({ uuid }) => uuid);
    const [first, last] = [wanted.indexOf(uuids[0]), wanted.indexOf(uuids.at(-1))];
    if (first === -1) return undefined;
    const missing = wanted.slice(first, isToTheEnd ? undefined : last).find((uuid) => !uuids.includes(uuid));
    return missing === undefined ? undefined : `it does not contain the row ${shortJson(missing)}, which was stored`;
  }),
];

function eachRead(name: string, spec: string, problem: (read: Read) => string | undefined): Rule {
  return {
    name,
    spec,
    *check(observed) {
      for (const session of observed.sessions)
        for (const read of readsOf(session, observed)) {
          const found = problem(read);
          if (found !== undefined) yield `An answer to GET S/worker/internal-events is wrong: ${found}.`;
        }
    },
  };
}

/** Returns an empty list if two requests about the transcript were in progress at the same time, or if the result of one is unknown. */
function readsOf(session: string, { exchanges, lost }: Observed): readonly Read[] {
  const isMeant = ({ path }: { readonly path: string }) => path.includes(`/${session}/worker/internal-events`);
  const all = exchanges.filter((each) => isMeant(each)).toSorted((a, b) => a.began - b.began);
  const areAtOnce = all.some(({ began }, at) => at > 0 && began < (all[at - 1]?.ended ?? 0));
  if (areAtOnce || lost.some(isMeant)) return [];
  const stored: Row[] = [];
  return all.flatMap((exchange): readonly Read[] => {
    if (exchange.status > 299) return [];
    if (exchange.method === 'GET') return readOf(exchange, [...stored]);
    for (const row of rowsIn(exchange)) if (!stored.some(({ uuid }) => uuid === row.uuid)) stored.push(row);
    return [];
  });
}

function readOf({ path, body }: Exchange, stored: readonly Row[]): readonly Read[] {
  if (!isObject(body) || !Array.isArray(body['data'])) return [];
  const query = new URLSearchParams(path.split('?')[1]);
  const rows = body['data'].map((row: unknown) => (isObject(row) && isObject(row['payload']) ? row['payload'] : {}));
  return [
    {
      uuids: rows.map(({ uuid }) => uuid),
      stored,
      withSubagents: query.get('subagents') === 'true',
      isToTheEnd: typeof body['next_cursor'] !== 'string' && query.get('limit') === null,
    },
  ];
}

function rowsIn({ sent }: Exchange): readonly Row[] {
  const json = jsonOf(sent);
  const events: unknown = isObject(json) ? json['events'] : undefined;
  return (Array.isArray(events) ? events : []).flatMap((entry: unknown) => {
    const payload = isObject(entry) ? entry['payload'] : undefined;
    if (!isObject(entry) || !isObject(payload) || typeof payload['uuid'] !== 'string') return [];
    return [{ uuid: payload['uuid'], isOfSubagent: entry['session_agent_id'] !== undefined }];
  });
}
